// Who keeps a definition alive.

import ChemActors

// snippet.held
struct Lamp: Exportable {
    let press: SlowMolecule<Void>
    let isOn: FastMolecule<Void, Bool>

    var exported: Lamp { Lamp(press: press.exported, isOn: isOn.exported) }
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
try await Task.sleep(for: .milliseconds(60))
