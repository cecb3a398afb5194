// What a definition as a type replaces, and its parts. The definition itself is in account.swift.

import ChemActors

// snippet.actor
actor AccountActor {
    private var funds: Int

    init(_ initial: Int) { funds = initial }

    func deposit(_ amount: Int) { funds += amount }

    func withdraw(_ amount: Int) async -> Bool {
        guard funds >= amount else { return false }
        await authorize(amount)
        funds -= amount
        return true
    }

    func balance() -> Int { funds }
}
// snippet.end

@concurrent func authorize(_ amount: Int) async {
    try? await Task.sleep(for: .milliseconds(20))
}

let overdrawn = AccountActor(100)
async let one = overdrawn.withdraw(80)
async let two = overdrawn.withdraw(80)
let accepted = await [one, two].filter { $0 }.count
let left = await overdrawn.balance()
precondition(accepted > 0 && left == 100 - 80 * accepted)
// snippet.philosophers
struct Table: JoinDefinition {
    struct Seat {
        let hungry = FastMolecule<Void, Void>()
        let fork = SlowMolecule<Void>()
    }
    let seats = (0..<5).map { _ in Seat() }

    func react(in join: inout Join.Builder) {
        for (number, seat) in seats.enumerated() {
            let right = seats[(number + 1) % seats.count].fork
            join.answer(seat.hungry, with: seat.fork, right) { _, _, _ in
                print("\(number) eats")
                seat.fork()
                right()
            }
            seat.fork()
        }
    }
}

let table = Join.make(Table())
try await table.seats[2].hungry()
print(table.seats[2].fork)  // Table.seats[2].fork
// snippet.end
precondition("\(table.seats[2].fork)" == "Table.seats[2].fork")

// snippet.jobs
/// Two workers; at most three numbers wait for one.
struct Squares: JoinDefinition {
    let number = BoundedMolecule<Int>(capacity: 3, order: .oldestFirst)
    let square = FastMolecule<Void, Int>()
    private let worker = SlowMolecule<Void>()
    private let done = SlowMolecule<Int>()

    func react(in join: inout Join.Builder) {
        join.when(number, worker) { number, _ in
            done(number * number)
            worker()
        }
        join.answer(square, with: done) { _, result in result }
        worker()
        worker()
    }
}

let squares = Join.make(Squares())
for number in 1...6 { try await squares.number.inject(number) }  // waits for room
var sum = 0
for _ in 1...6 { sum += try await squares.square(within: .seconds(5)) }
print(sum)  // 91
// snippet.end
precondition(sum == 91)
