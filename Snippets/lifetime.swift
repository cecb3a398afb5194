// Who keeps a definition alive.

import ChemActors

// snippet.held
struct Lamp {
    let press: SlowMolecule<Void>
    let isOn: FastMolecule<Void, Bool>
}

func makeLamp() -> Lamp {
    Join.define("lamp") { join in
        let state = join.state("state", false)
        let lamp = Lamp(press: join.slow("press"), isOn: join.fast("isOn", returning: Bool.self))
        join.when(lamp.press, updating: state) { state, _ in state.toggle() }
        join.answer(lamp.isOn, reading: state) { state, _ in state }
        return lamp
    }
}

let lamp = makeLamp()
lamp.press()
print(try await lamp.isOn())  // true or false, for as long as `lamp` is held
// snippet.end

// snippet.exported
let start = Join.define("alarm") { join in
    let start = join.slow("start", of: Duration.self)
    let ring = join.slow("ring")
    join.when(start) { delay in
        let ring = ring.exported  // the task outlives the body: it needs a name that holds a lease
        Task {
            try await Task.sleep(for: delay)
            ring()
        }
    }
    join.when(ring) { _ in print("ring") }
    return start
}
start(.milliseconds(20))
// snippet.end

// snippet.wrapped
enum Order {
    case page(Int)
    case done(report: SlowMolecule<String>)
}

let (orders, deliveries) = Join.define("printer") { join in
    let order = join.slow("order", of: Order.self, order: .oldestFirst)
    let delivery = join.slow("delivery", of: (address: String, confirm: SlowMolecule<Void>).self)
    join.when(order) { order in
        if case .done(let report) = order { report("printed") }
    }
    join.when(delivery) { delivery in delivery.confirm() }
    return (order, delivery)
}

Join.define("customer") { join in
    let report = join.slow("report", of: String.self)
    let confirm = join.slow("confirm")
    join.when(report, confirm) { text, _ in print(text) }
    orders(.page(1))
    orders(.done(report: report))  // exported on its way, although `Order` says nothing about it
    deliveries(("here", confirm))
}
// snippet.end

// snippet.inner
struct Visits: JoinDefinition {
    let count = StateMolecule(0)
    let add = FastMolecule<Void, Int>()

    func react(in join: inout Join.Builder) {
        join.answer(add, updating: count) { n, _ in
            n += 1
            return n
        }
    }
}

struct Door: JoinDefinition {
    let visits = Join.make(Visits())  // a definition of its own, which belongs to this one
    let enter = FastMolecule<String, String>()

    func react(in join: inout Join.Builder) {
        join.answer(enter) { name in "\(name) is visitor \(try await visits.add())" }
    }
}

print(try await Join.make(Door()).enter("Ada"))  // Ada is visitor 1; then both are gone
// snippet.end

// snippet.handle
let (increment, counting) = Join.define("counting") { join in
    let count = join.state("count", 0)
    let increment = join.slow("increment")
    join.when(increment, updating: count) { n, _ in n += 1 }
    return (increment, join.definition)
}
increment()
increment()
try await counting.quiescence()
print(counting.snapshot())  // counting, running …
extendLifetime(increment)  // keeps the chemistry until here: otherwise it may be dissolved above
// snippet.end
precondition(counting.statistics.molecules["increment"]?.consumed == 2)
try await Task.sleep(for: .milliseconds(60))
