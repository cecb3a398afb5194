import ChemActors

/// A shop sends what has been ordered and paid. Orders and payments come in any order; an order that hasn't been sent
/// can be cancelled, and whoever has paid for it gets the money back.
///
///     order & payment, of one number   → sent
///     cancel & order, of one number    → cancelled; an answer
///     cancelled & payment, of one number → money back
///
/// The numbers decide which copies react. Whoever cancels what has been sent, or hasn't been ordered yet, waits; it may
/// give up at any time.
struct MailOrders: Sendable {
    struct Order: Sendable {
        let number: Int
        let price: Int
    }

    struct Payment: Sendable {
        let orderNumber: Int
        let amount: Int
    }

    let order: SlowMolecule<Order>
    let payment: SlowMolecule<Payment>
    /// Cancels the order of this number as soon as it is there, unless it is sent.
    let cancel: FastMolecule<Int, Void>
    let definition: Join

    init(witness: Witness<MailOrdersLedger>) {
        (order, payment, cancel, definition) = Join.define("shop") { join in
            let order = join.slow("order", of: Order.self)
            let payment = join.slow("payment", of: Payment.self)
            let cancel = join.fast("cancel", of: Int.self)
            let cancelled = join.slow("cancelled", of: Int.self)

            join.when(order, payment, matching: \.number, \.orderNumber) { order, payment in
                witness.saw(.sent(order.number, price: order.price, paid: payment.amount))
            }
            join.answer(cancel, with: order, matching: \.self, \.number) { number, _ in
                witness.saw(.cancelled(number))
                cancelled(number)
            }
            join.when(cancelled, payment, matching: \.self, \.orderNumber) { number, payment in
                witness.saw(.paidBack(number, amount: payment.amount))
            }
            return (order, payment, cancel, join.definition)
        }
    }

    private init(
        order: SlowMolecule<Order>,
        payment: SlowMolecule<Payment>,
        cancel: FastMolecule<Int, Void>,
        definition: Join
    ) {
        self.order = order
        self.payment = payment
        self.cancel = cancel
        self.definition = definition
    }
}

/// What has become of each order.
struct MailOrdersLedger: Ledger {
    enum Event: Sendable {
        case sent(Int, price: Int, paid: Int)
        case cancelled(Int)
        case paidBack(Int, amount: Int)
    }

    private(set) var sent: Set<Int> = []
    private(set) var cancelled: Set<Int> = []
    private(set) var paidBack: Set<Int> = []
    private var payments = Invariant("an order is sent for the payment of its number")
    private var fates = Invariant("an order is sent or cancelled, once")
    private var returns = Invariant("what was cancelled is paid back, once")

    mutating func record(_ event: Event) {
        switch event {
        case .sent(let number, let price, let paid):
            payments.look(price == paid ? nil : "order \(number) of \(price) for \(paid)")
            fates.look(sent.insert(number).inserted && !cancelled.contains(number) ? nil : "order \(number)")
        case .cancelled(let number):
            fates.look(cancelled.insert(number).inserted && !sent.contains(number) ? nil : "order \(number)")
        case .paidBack(let number, let amount):
            let isRight = cancelled.contains(number) && paidBack.insert(number).inserted
            returns.look(isRight ? nil : "\(amount) for order \(number)")
        }
    }

    var checks: [Check] { [payments.check, fates.check, returns.check] }
}

extension Gallery {
    static let orders = Example(
        "orders",
        "orders and payments that find each other by number, and orders that are cancelled",
        from: "guards of Chymyst; joins of Rete"
    ) { stage, _, machine in
        let count = stage.pick(full: 20_000, small: 200)
        var numbers = SeededNumbers(seed: stage.seed)
        let orders = (1...count).map { MailOrders.Order(number: $0, price: 3 * $0) }.shuffled(using: &numbers)
        let payments = (1...count).map { MailOrders.Payment(orderNumber: $0, amount: 3 * $0) }
            .shuffled(using: &numbers)
        let regrets = (1...count).shuffled(using: &numbers)
        let (early, late) = (regrets.prefix(count / 20), regrets.dropFirst(count / 20).prefix(count / 20))

        let witness = Witness(MailOrdersLedger())
        let shop = MailOrders(witness: witness)
        shop.order.inject(contentsOf: orders)
        for number in early { try await shop.cancel(number) }  // before anybody has paid

        let inTime = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in late {
                group.addTask {
                    do {
                        try await shop.cancel(number)
                        return true
                    } catch is CancellationError {
                        return false  // it had been sent
                    }
                }
            }
            shop.payment.inject(contentsOf: payments)
            try await shop.definition.quiescence()
            group.cancelAll()
            return try await group.reduce(into: 0) { count, wasCancelled in
                if wasCancelled { count += 1 }
            }
        }
        let cancelled = early.count + inTime
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("cancelled, of \(early.count + late.count)", ledger.cancelled.count, is: cancelled),
            Check("paid back", ledger.paidBack.count, is: cancelled),
            Check("sent", ledger.sent.count, is: count - cancelled),
            Check("what is left", shop.definition.snapshot().molecules.values.reduce(0, +), is: 0),
        ]
    }
}
