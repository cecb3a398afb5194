// A crossing: what a press of the button does depends on which light is there.

import ChemActors

// snippet.show
struct Crossing: JoinDefinition {
    let press = SlowMolecule<Void>()
    let clear = SlowMolecule<Void>()
    let light = FastMolecule<Void, String>()
    private let red = SlowMolecule<Void>()
    private let green = SlowMolecule<Void>()

    func react(in join: inout Join.Builder) {
        join.when(press, red) { _, _ in green() }
        join.when(press, green) { _, _ in green() }  // pressed again: nothing more to do
        join.when(clear, green) { _, _ in red() }
        join.when(clear, red) { _, _ in red() }
        join.answer(light, with: red) { _, _ in
            red()
            return "red"
        }
        join.answer(light, with: green) { _, _ in
            green()
            return "green"
        }
        red()
    }
}

let crossing = Join.make(Crossing())
for _ in 1...3 { crossing.press() }
try await ChemicalMachine.current.quiescence()
print(try await crossing.light())  // green
crossing.clear()
try await ChemicalMachine.current.quiescence()
print(try await crossing.light())  // red: no press is left that would turn it again
// snippet.hide
let light = try await crossing.light()
precondition(light == "red")
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
