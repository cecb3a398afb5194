import ChemActors

/// The bounded buffer: whoever puts something waits until there is room, whoever takes something until there is
/// something.
///
///     put(item) & items, while there is room      → items + item; an answer
///     take & items, while they are not empty      → items without the oldest, which is the answer
///
/// Both conditions are about the same state. Whoever changes it finds out which of them it meets now.
struct BoundedBuffer: Sendable {
    /// What a producer has made, and its number among what that producer has made.
    struct Item: Sendable {
        let producer: Int
        let number: Int
    }

    /// Puts an item behind the others as soon as there is room.
    let put: FastMolecule<Item, Void>
    /// Takes the oldest item as soon as there is one.
    let take: FastMolecule<Void, Item>

    init(capacity: Int, witness: Witness<BufferLedger>) {
        (put, take) = Join.define("buffer") { join in
            let put = join.fast("put", of: Item.self, order: .oldestFirst)
            let take = join.fast("take", returning: Item.self, order: .oldestFirst)
            let items = join.state("items", [Item]())

            join.answer(put, updating: items.while { $0.count < capacity }) { items, item in
                items.append(item)
                witness.saw(.put(count: items.count))
            }
            join.answer(take, updating: items.while { !$0.isEmpty }) { items, _ in
                let item = items.removeFirst()
                witness.saw(.took(producer: item.producer, number: item.number, count: items.count))
                return item
            }
            return (put, take)
        }
    }

    private init(put: FastMolecule<Item, Void>, take: FastMolecule<Void, Item>) {
        self.put = put
        self.take = take
    }
}

/// What has gone through the buffer.
struct BufferLedger: Ledger {
    enum Event: Sendable {
        case put(count: Int)
        case took(producer: Int, number: Int, count: Int)
    }

    let capacity: Int
    private var count = 0
    private var latest: [Int: Int] = [:]
    private(set) var taken = 0
    private var bounds = Invariant("there are 0 to capacity items")
    private var order = Invariant("what a producer has put comes in that order, once")

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func record(_ event: Event) {
        let found: Int
        switch event {
        case .put(let now):
            count += 1
            found = now
        case .took(let producer, let number, let now):
            count -= 1
            taken += 1
            found = now
            order.look(latest[producer, default: 0] + 1 == number ? nil : "\(number) of producer \(producer)")
            latest[producer] = number
        }
        bounds.look(found == count && (0...capacity).contains(count) ? nil : "\(found) items, \(count) by counting")
    }

    var checks: [Check] { [bounds.check, order.check, Check("items that are left", count, is: 0)] }
}

extension Gallery {
    static let buffer = Example(
        "buffer",
        "a bounded buffer between producers and consumers",
        from: "Dijkstra; Little Book of Semaphores 4.1"
    ) { stage, _, machine in
        let (producers, items) = (4, stage.pick(full: 5000, small: 50))
        let witness = Witness(BufferLedger(capacity: 3))
        let buffer = BoundedBuffer(capacity: 3, witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in 1...producers {
                group.addTask {
                    for number in 1...items { try await buffer.put(.init(producer: producer, number: number)) }
                }
                group.addTask { for _ in 1...items { _ = try await buffer.take() } }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [Check("items", ledger.taken, is: producers * items)]
    }
}
