// Higher-order chemistry: a molecule that carries the name of another one.

import ChemActors

// snippet.show
/// A value for a molecule that a switch lets through or not.
struct Request {
    let target: SlowMolecule<String>
    let value: String
}

let (on, off, request) = Join.define("switch") { join in
    let isOn = join.state("isOn", true)
    let on = join.fast("on")
    let off = join.fast("off")
    let request = join.fast("request", of: Request.self, returning: Bool.self)

    join.answer(on, updating: isOn) { isOn, _ in isOn = true }
    join.answer(off, updating: isOn) { isOn, _ in isOn = false }
    join.answer(request, reading: isOn) { isOn, request in
        if isOn { request.target(request.value) }
        return isOn
    }

    return (on, off, request)
}

let (show, printed) = Join.define("screen") { join in
    let show = join.slow("show", of: String.self)
    join.when(show) { print($0) }
    return (show, join.definition)
}

print(try await request(Request(target: show, value: "shown")))  // true, and "shown"
try await off()
print(try await request(Request(target: show, value: "not shown")))  // false
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
try await printed.quiescence()
