// Writes the overloads of `when` and `answer` for each number of inputs and states:
//
//     swift Scripts/generate-overloads.swift
//
// Why they exist: closures over parameter packs are not specialised by Swift 6.3, which makes a reaction several times
// slower, and with a pack it doesn't infer the `inout` of a state. Behind arities 1…4 stands one pack for all others.

import Foundation

let letters = ["a", "b", "c", "d"]
let types = ["A", "B", "C", "D"]
let values = ["x", "y", "z", "w"]

enum Kind {
    case synchronous, asynchronous, mainActor, executor, blocking

    /// Whether the body is given an executor.
    var isOnExecutor: Bool { self == .executor || self == .blocking }
}
/// How a reaction uses states: `count` of them, updated or read.
struct States { let label: String; let count: Int; let isUpdating: Bool }

let noStates = States(label: "", count: 0, isUpdating: false)
let stateForms = [
    States(label: "updating", count: 1, isUpdating: true),
    States(label: "updating", count: 2, isUpdating: true),
    States(label: "reading", count: 1, isUpdating: false),
    States(label: "reading", count: 2, isUpdating: false),
]

func list(_ items: [String]) -> String { items.joined(separator: ", ") }

func generics(_ arity: Int, _ states: States, answer: Bool) -> String {
    var all = types.prefix(arity).map { "\($0): Molecule" }
    if answer { all = ["Argument", "Answer"] + all }
    all += (0..<states.count).map { "S\($0): Sendable" }
    return all.isEmpty ? "" : "<\(list(all))>"
}

func stateParameters(_ states: States) -> [String] {
    (0..<states.count).map { index in
        "\(index == 0 ? states.label : "_") s\(index): StateMolecule<S\(index)>"
    }
}

func bodyType(_ arity: Int, _ states: States, _ kind: Kind, answer: Bool) -> String {
    var inputs = (0..<states.count).map { states.isUpdating ? "inout S\($0)" : "S\($0)" }
    if answer { inputs.append("Argument") }
    inputs += types.prefix(arity).map { "\($0).Input" }
    let result = answer ? "Answer" : "Void"
    switch kind {
    case .synchronous, .blocking: return "@escaping @Sendable (\(list(inputs))) throws -> \(result)"
    case .asynchronous, .executor: return "@escaping @concurrent @Sendable (\(list(inputs))) async throws -> \(result)"
    case .mainActor: return "@escaping @MainActor @Sendable (\(list(inputs))) async throws -> \(result)"
    }
}

func documentation(_ states: States, _ kind: Kind, answer: Bool) -> String {
    var text = ""
    if answer {
        text += "    /// Declares a reaction that answers `fast` with the result of its body"
    } else {
        text += "    /// Declares a reaction"
    }
    let link = answer ? "and" : "that"
    switch (states.count, states.isUpdating) {
    case (0, _): text += ""
    case (1, true): text += " \(link) updates a state"
    case (_, true): text += " \(link) updates several states"
    case (1, false): text += " \(link) reads a state"
    default: text += " \(link) reads several states"
    }
    switch kind {
    case .synchronous: text += ", with a synchronous body.\n"
    case .asynchronous: text += ", with an asynchronous body.\n"
    case .mainActor: text += ", with a body on the main actor.\n"
    case .executor: text += ", with a body on an executor.\n"
    case .blocking: text += ", with a synchronous body on an executor.\n"
    }
    text += "    ///\n"
    switch kind {
    case .synchronous where answer:
        text +=
            "    /// The body runs in the calling task if the reaction is possible at once, else in a worker. It must not block.\n"
    case .synchronous:
        text += "    /// The body runs in a worker, concurrently with others. It must not block its thread.\n"
    case .asynchronous:
        text += "    /// The body runs in a task of its own and may suspend.\n"
    case .mainActor:
        text += "    /// The body runs in a task of its own, on the main actor.\n"
    case .executor:
        text += "    /// The body runs in a task of its own that prefers `executor`, such as ``BlockingExecutor``.\n"
    case .blocking:
        text +=
            "    /// The body runs in a task of its own that prefers `executor`. On a ``BlockingExecutor`` it may block, also by\n"
        text += "    /// functions that aren't available in asynchronous code.\n"
    }
    if states.isUpdating {
        text += "    /// It has the state to itself: other reactions that need it wait.\n"
    }
    if answer {
        text += "    /// If it throws, the caller gets its error.\n"
    }
    return text
}

func emit(_ arity: Int, _ states: States, _ kind: Kind, answer: Bool) -> String {
    let names = Array(letters.prefix(arity))
    var parameters: [String] = []
    if answer { parameters.append("_ fast: FastMolecule<Argument, Answer>") }
    parameters += names.enumerated().map { index, name in
        let label = answer && index == 0 ? "with" : "_"
        return "\(label) \(name): \(types[index])"
    }
    parameters += stateParameters(states)
    if kind == .mainActor { parameters.append("on actor: MainActor.Type") }
    if kind.isOnExecutor { parameters.append("on executor: any TaskExecutor") }
    parameters += ["fileID: StaticString = #fileID", "line: UInt = #line"]
    parameters.append("_ body: \(bodyType(arity, states, kind, answer: answer))")

    let slots =
        (answer ? ["fast._slot.header"] : []) + names.map { "\($0)._slot.header" }
        + (0..<states.count).map { "s\($0).header" }
    let takes = names.enumerated().map { "let \(values[$0]) = \($1)._take(SoupEntry())" }
    let pairs = (0..<arity).map { "(\(letters[$0]), \(values[$0]))" }
    let isSynchronous = kind == .synchronous
    let updated = states.isUpdating ? states.count : 0

    let stateTakes: [String] = (0..<states.count).flatMap { index -> [String] in
        if !states.isUpdating { return ["let v\(index) = s\(index).slot.pointee.current.pointee"] }
        return ["s\(index).slot.take()"]
    }
    let stateArguments: [String] = (0..<states.count).map { index in
        if !states.isUpdating { return "v\(index)" }
        return isSynchronous ? "&s\(index).place.pointee" : "&v\(index).value"
    }
    let copies = isSynchronous ? [] : (0..<updated).map { "let v\($0) = s\($0).draft()" }
    let commits = (0..<updated).map { isSynchronous ? "s\($0).release()" : "s\($0).putBack(v\($0).value)" }
    let releases = (0..<updated).map { "s\($0).release()" }

    func call(_ argument: String) -> String {
        let arguments = stateArguments + (answer ? [argument] : []) + Array(values.prefix(arity))
        return "\(isSynchronous || kind == .blocking ? "try" : "try await") body(\(list(arguments)))"
    }
    /// Runs the body, commits the states and then gives its result to the caller, who may look at them.
    let run: [String] =
        if answer && updated > 0 {
            [
                "\(isSynchronous ? "try" : "try await") call.finish {",
                "    \(call("call.argument"))",
                "} committing: {",
            ] + commits.map { "    \($0)" } + ["}"]
        } else if answer {
            ["call.finish(returning: \(call("call.argument")))"]
        } else {
            [call("")] + commits
        }
    let again = "{\n" + run.map { "        \($0)\n" }.joined() + "    }"
    let fail = answer ? "{ call.finish(throwing: $0) }" : "{ _ in false }"
    let release =
        updated == 0
        ? "{ _ in }"
        : "{ "
            + (0..<updated).map { (isSynchronous ? "" : "s\($0).keep(v\($0).value); ") + "s\($0).release($" + "0)" }
            .joined(separator: "; ") + " }"
    func failed(fail: String, again: String) -> [String] {
        var lines = ["reaction.failed(", "    error,"]
        lines += pairs.map { "    \($0)," }
        lines += ["    again: \(again),", "    fail: \(fail),", "    release: \(release)", ")"]
        return lines
    }

    // The closure that a worker runs.
    // A body without a caller puts its states back in the same step of the soup that the worker needs anyway.
    let putsBackInside = updated > 0 && isSynchronous && !answer
    var fire: [String] = putsBackInside ? ["var isDone = true", "do {"] : ["do {"]
    if answer { fire.append("    let call = fast.takeCall()") }
    fire += (takes + stateTakes + ["site.leave()"]).map { "    \($0)" }
    if isSynchronous {
        fire += ["    do {"] + (putsBackInside ? [call("")] : run).map { "        \($0)" } + ["    } catch {"]
        if putsBackInside { fire.append("        isDone = false") }
        fire += failed(fail: fail, again: again).map { "        \($0)" }
        fire += ["    }", "}", "site.pointee.lock.lock()"]
        if putsBackInside { fire += ["if isDone {"] + (0..<updated).map { "    s\($0).putBack()" } + ["}"] }
    } else {
        fire.append("    site.startBody\(kind.isOnExecutor ? "(on: executor)" : "") {")
        fire += (copies + ["do {"] + run.map { "    \($0)" } + ["} catch {"]).map { "        \($0)" }
        fire += failed(fail: fail, again: again).map { "            \($0)" }
        fire += ["        }", "    }", "}", "site.pointee.lock.lock()"]
    }

    var out = documentation(states, kind, answer: answer)
    out += "    @inlinable\n    @inline(__always)\n    @discardableResult\n"
    out += "    public func \(answer ? "answer" : "when")\(generics(arity, states, answer: answer))(\n"
    out += parameters.map { "        \($0)" }.joined(separator: ",\n") + "\n    ) -> Reaction {\n"
    out += "        let slots = [\(list(slots))]\n"
    out += "        let reaction = describe(slots, fileID, line)\n"
    if answer && isSynchronous {
        out += "        return declareAnswer(reaction, fast, slots) { site in\n"
        out += fire.map { "            \($0)\n" }.joined()
        out += "        } atOnce: { argument in\n"
        out += "            let site = fast.slot.pointee.header.site\n"
        out += (takes + stateTakes + ["site.leave()"]).map { "            \($0)\n" }.joined()
        out += "            do {\n"
        if updated > 0 {
            out += "                let answer = \(call("argument"))\n"
            out += releases.map { "                \($0)\n" }.joined() + "                return answer\n"
        } else {
            out += "                return \(call("argument"))\n"
        }
        out += "            } catch {\n"
        out += failed(fail: "{ _ in true }", again: "{}").map { "                \($0)\n" }.joined()
        out += "                throw error\n            }\n        }\n"
    } else {
        out += "        return declare(reaction, slots, isAsynchronous: \(!isSynchronous)) { site in\n"
        out += fire.map { "            \($0)\n" }.joined()
        out += "        }\n"
    }
    return out + "    }\n"
}

func emitPack(_ kind: Kind, answer: Bool) -> String {
    let type: String
    let result = answer ? "Answer" : "Void"
    let inputs = (answer ? "Argument, " : "") + "repeat (each M).Input"
    switch kind {
    case .synchronous, .blocking: type = "@escaping @Sendable (\(inputs)) throws -> \(result)"
    case .asynchronous, .executor: type = "@escaping @concurrent @Sendable (\(inputs)) async throws -> \(result)"
    case .mainActor: type = "@escaping @MainActor @Sendable (\(inputs)) async throws -> \(result)"
    }
    var parameters: [String] = []
    if answer { parameters.append("_ fast: FastMolecule<Argument, Answer>") }
    parameters.append("\(answer ? "with" : "_") molecules: repeat each M")
    if kind == .mainActor { parameters.append("on actor: MainActor.Type") }
    if kind.isOnExecutor { parameters.append("on executor: any TaskExecutor") }
    parameters += ["fileID: StaticString = #fileID", "line: UInt = #line", "_ body: \(type)"]
    var out = documentation(noStates, kind, answer: answer)
    out += "    @discardableResult\n"
    out += "    public func \(answer ? "answer<Argument, Answer, each M: Molecule>" : "when<each M: Molecule>")(\n"
    out += parameters.map { "        \($0)" }.joined(separator: ",\n") + "\n    ) -> Reaction {\n"
    out += "        var slots: [SlotPointer] = [\(answer ? "fast._slot.header" : "")]\n"
    out += "        for molecule in repeat each molecules { slots.append(molecule._slot.header) }\n"
    out += "        let reaction = describe(slots, fileID, line)\n"
    let isSynchronous = kind == .synchronous
    let isAwaited = !isSynchronous && kind != .blocking
    let call = "\(isAwaited ? "try await" : "try") body(\(answer ? "call.argument, " : "")repeat each inputs)"
    let run = answer ? "call.finish(returning: \(call))" : call
    func failed(fail: String, again: String) -> [String] {
        [
            "reaction.failed(", "    error,", "    repeat (each molecules, each inputs),", "    again: \(again),",
            "    fail: \(fail),", "    release: { _ in }", ")",
        ]
    }
    let attempt =
        ["do {", "    \(run)", "} catch {"]
        + failed(fail: answer ? "{ call.finish(throwing: $0) }" : "{ _ in false }", again: "{ \(run) }").map {
            "    \($0)"
        }
        + ["}"]
    var fire: [String] = ["do {"]
    if answer { fire.append("    let call = fast.takeCall()") }
    fire += ["    let inputs = (repeat (each molecules)._take(SoupEntry()))", "    site.leave()"]
    if isSynchronous {
        fire += attempt.map { "    \($0)" }
    } else {
        fire +=
            ["    site.startBody\(kind.isOnExecutor ? "(on: executor)" : "") {"] + attempt.map { "        \($0)" } + [
                "    }"
            ]
    }
    fire += ["}", "site.pointee.lock.lock()"]
    if answer && isSynchronous {
        out += "        return declareAnswer(reaction, fast, slots) { site in\n"
        out += fire.map { "            \($0)\n" }.joined()
        out += "        } atOnce: { argument in\n            let site = fast.slot.pointee.header.site\n"
        out += "            let inputs = (repeat (each molecules)._take(SoupEntry()))\n            site.leave()\n"
        out +=
            "            do {\n                return try body(argument, repeat each inputs)\n            } catch {\n"
        out += failed(fail: "{ _ in true }", again: "{}").map { "                \($0)\n" }.joined()
        out += "                throw error\n            }\n        }\n"
    } else {
        out += "        return declare(reaction, slots, isAsynchronous: \(!isSynchronous)) { site in\n"
        out += fire.map { "            \($0)\n" }.joined() + "        }\n"
    }
    return out + "    }\n"
}

let header = "// Written by Scripts/generate-overloads.swift: change that instead.\n\npublic import ChemBase\n\n"

func write(_ name: String, _ members: [String]) throws {
    let text = header + "extension Join.Builder {\n" + members.joined(separator: "\n") + "}\n"
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Sources/ChemActors/Definition/Overloads/\(name).swift")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
}

let kinds: [Kind] = [.synchronous, .asynchronous]
try write(
    "Builder+When",
    kinds.flatMap { kind in (1...4).map { emit($0, noStates, kind, answer: false) } + [emitPack(kind, answer: false)] }
)
for (name, kinds) in [
    ("Builder+WhenOnMainActor", [Kind.mainActor]), ("Builder+WhenOnExecutor", [.executor, .blocking]),
] {
    try write(
        name,
        kinds.flatMap { kind in
            (1...4).map { emit($0, noStates, kind, answer: false) } + [emitPack(kind, answer: false)]
        }
    )
}
try write(
    "Builder+WhenWithStates",
    kinds.flatMap { kind in
        stateForms.flatMap { states in (1...3).map { emit($0, states, kind, answer: false) } }
    }
)
try write(
    "Builder+Answer",
    kinds.flatMap { kind in (0...4).map { emit($0, noStates, kind, answer: true) } + [emitPack(kind, answer: true)] }
)
try write(
    "Builder+AnswerWithStates",
    kinds.flatMap { kind in
        stateForms.flatMap { states in (0...2).map { emit($0, states, kind, answer: true) } }
    }
)
