// A long job during which others events are served: nothing is held over the await.

import ChemActors
import ChemLibrary

let water = Latch(count: 1)

@concurrent func brew() async { try? await water.wait() }

// snippet.show
struct CoffeeMachine: JoinDefinition {
    let press = SlowMolecule<Void>()
    let served = FastMolecule<Void, (cups: Int, refused: Int)>()
    private let idle = SlowMolecule<Void>()
    private let busy = SlowMolecule<Void>()
    private let brewed = SlowMolecule<Void>()
    private let cups = StateMolecule(0)
    private let refused = StateMolecule(0)

    func react(in join: inout Join.Builder) {
        join.when(press, idle) { _, _ async in
            busy()
            await brew()
            brewed()
        }
        join.when(brewed, busy, updating: cups) { cups, _, _ in
            cups += 1
            idle()
        }
        join.when(press, busy, updating: refused) { refused, _, _ in  // at once, while it brews
            refused += 1
            busy()
        }
        join.answer(served, reading: cups, refused) { cups, refused, _ in (cups, refused) }
        idle()
    }
}

let machine = Join.make(CoffeeMachine())
for _ in 1...3 { machine.press() }
// snippet.hide
while try await machine.served().refused < 2 { await Task.yield() }
water.countDown()
try await ChemicalMachine.current.quiescence()
print(try await machine.served())  // (cups: 1, refused: 2)
let served = try await machine.served()
precondition(served == (1, 2))
if CommandLine.arguments.contains("--picture") {
    let drawing = ChemicalMachine.shared.drawings.first { $0.definition == "CoffeeMachine" }
    print(drawing?.numberingReactions().svg ?? "")
}
