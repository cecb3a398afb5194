// Writes the overloads of `when` and `answer` for each number of inputs and states:
//
//     swift Scripts/generate-overloads.swift
//
// Why they exist: a closure over a parameter pack is not specialised by Swift 6.3, which makes a reaction several times
// slower; the compiler doesn't infer the `inout` of a state through one; and with one in the set of overloads a wrong
// call takes seconds to be refused. So each is a shell of a few lines: it nests the molecules and the states, and takes
// their values apart. What happens then stands once, in Reactions/Builder+Declare.swift.

import Foundation

let letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]

enum Kind { case synchronous, asynchronous, mainActor, blocking }
enum Use { case updating, reading }

/// One overload.
struct Shell {
    var isAnswer = false
    var kind: Kind
    var inputs: Int
    var states = 0
    var use = Use.updating
    /// Which of them is documented in full; the others are hidden from the documentation.
    var documentation: String?
    /// What stands in the place of the molecules: `when(n, of:)`, `when(all:)`.
    var group: Group?
    /// How its inputs are chosen by their values.
    var selection: Selection?
    /// Whether `with:` is forgotten, of one that is refused.
    var lacksWith = false

    enum Selection { case keys, condition }
    var isMatched: Bool { selection == .keys }

    struct Group {
        let parameters: [String]
        let value: String
    }
}

func list(_ items: [String]) -> String { items.joined(separator: ", ") }

/// `f(f(a, b), c)`.
func nested(_ items: [String], _ function: String) -> String {
    items.dropFirst().reduce(items[0]) { "\(function)(\($0), \($1))" }
}

/// Where the leaf `index` of `count` lies in such a value.
func leaf(_ value: String, _ index: Int, of count: Int) -> String {
    value + String(repeating: ".0", count: index == 0 ? count - 1 : count - 1 - index) + (index > 0 ? ".1" : "")
}

extension Shell {
    var types: [String] { letters.prefix(inputs).map { $0.uppercased() } }
    var isUpdating: Bool { states > 0 && use == .updating }

    var generics: String {
        var all = isAnswer ? ["Argument", "Answer"] : []
        let kind = selection == nil ? "Molecule" : "GuardableMolecule"
        all += group == nil ? types.map { "\($0): \(kind)" } : ["A: \(kind)"]
        if isMatched { all.append("Key: Matchable") }
        // One of them has to be `Stateful` besides: see there.
        all += (0..<states).map { isUpdating ? "U\($0): Updatable\($0 == 0 ? " & Stateful" : "")" : "S\($0): Sendable" }
        return all.isEmpty ? "" : "<\(list(all))>"
    }

    var bodyType: String {
        var parameters = (0..<states).map { isUpdating ? "inout U\($0).Value" : "S\($0)" }
        if isAnswer { parameters.append("Argument") }
        parameters += group == nil ? types.map { "\($0).Input" } : ["[A.Input]"]
        let result = isAnswer ? "Answer" : "Void"
        switch kind {
        case .synchronous, .blocking: return "@escaping @Sendable (\(list(parameters))) throws -> \(result)"
        case .asynchronous: return "@escaping @concurrent @Sendable (\(list(parameters))) async throws -> \(result)"
        case .mainActor: return "@escaping @MainActor @Sendable (\(list(parameters))) async throws -> \(result)"
        }
    }

    var parameters: [String] {
        var all = isAnswer ? ["_ fast: FastMolecule<Argument, Answer>"] : []
        all +=
            group?.parameters
            ?? letters.prefix(inputs).enumerated().map { index, name in
                "\(isAnswer && index == 0 && !lacksWith ? "with" : "_") \(name): \(types[index])"
            }
        all += keyParameters
        all += (0..<states).map { index in
            let label = index > 0 ? "_" : use == .updating ? "updating" : "reading"
            return "\(label) s\(index): \(isUpdating ? "U\(index)" : "StateMolecule<S\(index)>")"
        }
        switch kind {
        case .synchronous: break
        case .asynchronous: all.append("on executor: (any TaskExecutor)? = nil")
        case .mainActor: all.append("on actor: MainActor.Type")
        case .blocking: all.append("on executor: any TaskExecutor")
        }
        return all + ["fileID: StaticString = #fileID", "line: UInt = #line"]
    }

    /// What the inputs are matched by.
    private var keyParameters: [String] {
        if selection == .condition {
            let contents = (isAnswer ? ["Argument"] : []) + types.map { "\($0).Content" }
            return ["where condition: @escaping @Sendable (\(list(contents))) -> Bool"]
        }
        guard isMatched else { return [] }
        var paths = isAnswer ? [("key", "Argument")] : []
        paths += letters.prefix(inputs).map { ("k\($0)", "\($0.uppercased()).Content") }
        return paths.enumerated().map { index, path in
            "\(index == 0 ? "matching" : "_") \(path.0): any KeyPath<\(path.1), Key> & Sendable"
        }
    }

    /// The guard, and the molecules as it chooses them.
    private var matched: (declaration: String?, molecules: String) {
        let names = Array(letters.prefix(inputs))
        if selection == .condition {
            let all = list((isAnswer ? ["fast"] : []) + names)
            let tried = names.enumerated().map { "tried(\($1), guarding, \($0 + (isAnswer ? 1 : 0)), fileID, line)" }
            return ("let guarding = searching(\(all), condition, fileID, line)", nested(tried, "Both"))
        }
        if group != nil { return (nil, "matched(count, of: molecule, ka, fileID, line)") }
        let first = isAnswer ? 1 : 0
        let chosen = names.enumerated().map { "chosen(\($1), guarding, \($0 + first), by: k\($1), fileID, line)" }
        return ("let guarding = matchGuard(\(inputs + first), Key.self, fileID, line)", nested(chosen, "Both"))
    }

    /// The molecules as one, read states behind the others.
    var molecules: String {
        if selection != nil { return matched.molecules }
        if let group { return group.value }
        let all = letters.prefix(inputs) + (isUpdating ? [] : (0..<states).map { "s\($0).value" })
        return all.isEmpty ? "NoMolecule()" : nested(Array(all), "Both")
    }

    var updated: String {
        isUpdating ? nested((0..<states).map { "Updating(s\($0))" }, "UpdatingBoth") : "NoState()"
    }

    var call: String {
        let leaves = inputs + (isUpdating ? 0 : states)
        let place = kind == .synchronous ? ".pointer.pointee" : ".value"
        var arguments: [String] = (0..<states).map { index in
            isUpdating ? "&" + leaf("s", index, of: states) + place : leaf("v", inputs + index, of: leaves)
        }
        if isAnswer { arguments.append("argument") }
        arguments += (0..<inputs).map { leaf("v", $0, of: leaves) }
        let isAwaited = kind == .asynchronous || kind == .mainActor
        return "try \(isAwaited ? "await " : "")body(\(list(arguments)))"
    }

    var text: String {
        let executor =
            switch kind {
            case .synchronous: ""
            case .asynchronous, .blocking: "on: executor, "
            case .mainActor: "on: nil, "
            }
        let closure = list(
            [isUpdating ? "s" : "_"] + (isAnswer ? ["argument"] : []) + [molecules == "NoMolecule()" ? "_" : "v"]
        )
        var lines: [String] = []
        if let documentation {
            lines += filled(documentation).map { $0.isEmpty ? "///" : "/// \($0)" }
        } else {
            let states = states == 0 ? "" : ", \(states) state\(states == 1 ? "" : "s")"
            lines.append("/// The same for \(inputs) input\(inputs == 1 ? "" : "s")\(states).")
            lines.append("@_documentation(visibility: internal)")
        }
        lines.append("@_alwaysEmitIntoClient @inline(__always) @discardableResult")
        lines.append("public func \(isAnswer ? "answer" : "when")\(generics)(")
        lines += wrapped(parameters).map { "    \($0)" }
        lines.append("    _ body: \(bodyType)) -> Reaction {")
        let call =
            switch selection {
            case nil: "fast"
            case .keys: "chosenCall(fast, guarding, by: key, fileID, line)"
            case .condition: "triedCall(fast, guarding, fileID, line)"
            }
        let fast = isAnswer ? "answering: \(call), " : ""
        let declaration = selection == nil ? nil : matched.declaration
        if let declaration { lines.append("    \(declaration)") }
        let result = declaration == nil ? "" : "return "
        lines.append(
            "    \(result)declare(\(fast)\(molecules), \(updated), \(executor)fileID, line) { \(closure) in \(self.call) }"
        )
        lines.append("}")
        return lines.map { "    \($0)\n" }.joined()
    }

    /// Parameters in lines of at most 120 columns.
    private func wrapped(_ items: [String]) -> [String] {
        var lines: [String] = []
        for item in items {
            if let last = lines.last, last.count + item.count < 108 {
                lines[lines.count - 1] = "\(last) \(item),"
            } else {
                lines.append("\(item),")
            }
        }
        return lines
    }
}

/// The lines of `text`, paragraphs and items of lists filled up to the width of a documentation comment.
func filled(_ text: String) -> [String] {
    let width = 120 - 8
    var lines: [String] = []
    var isCode = false
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        let words = line.split(separator: " ").map(String.init)
        let isFence = line.hasPrefix("```")
        if isFence { isCode.toggle() }
        if isCode || isFence || words.isEmpty {
            lines.append(line)
            isOpen = false
            continue
        }
        let isItem = words[0] == "-"
        let indentation = String(line.prefix { $0 == " " }) + (isItem ? "  " : "")
        if isItem || !isOpen { lines.append(isItem ? String(indentation.dropLast(2)) : indentation) }
        isOpen = true
        for word in words {
            let last = lines[lines.count - 1]
            let isEmpty = last.allSatisfy { $0 == " " }
            if !isEmpty, last.count + 1 + word.count > width {
                let hanging = last.prefix { $0 == " " || $0 == "-" }.count
                lines.append(String(repeating: " ", count: hanging) + word)
            } else {
                lines[lines.count - 1] = last + (isEmpty ? "" : " ") + word
            }
        }
    }
    return lines
}

// MARK: What is documented

let commonParameters = """
      - fileID: The file, for messages.
      - line: The line, for messages.
    """

let chosen =
    "If copies of several sorts are present, which ones it takes is chosen at random, or the oldest if a molecule is oldest-first."

let whenSynchronous = """
    Declares a reaction, with a synchronous body.

    ```swift
    join.when(request, permit) { request, _ in handle(request) }
    ```

    The reaction consumes one copy of each input, as soon as all are present. A molecule that stands there twice gives two copies. The
    body runs in a worker, concurrently with others. It must not block its thread.

    There are overloads for up to twelve inputs. Beyond that, ``all(_:)`` makes one input of many.

    - Parameters:
      - a: A molecule of this definition.
    \(commonParameters)
      - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    - Returns: The reaction, to say more about it.
    - Complexity: O(inputs) whenever it runs; declaring is O(inputs × reactions).
    """

let whenAsynchronous = """
    Declares a reaction, with an asynchronous body.

    ```swift
    join.when(url, permit) { url, _ in
        page(try await fetch(url))
        permit()
    }
    ```

    As with a synchronous body; but this one runs in a task of its own and may suspend. Deactivating the definition cancels the task.

    - Parameters:
      - a: A molecule of this definition.
      - executor: What the task prefers, such as a ``BlockingExecutor``; nil for the machine's own.
    \(commonParameters)
      - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    - Returns: The reaction, to say more about it.
    """

let whenBlocking = """
    Declares a reaction, with a synchronous body on an executor.

    The body runs in a task of its own that prefers `executor`. On a ``BlockingExecutor`` it may block, also by functions that aren't
    available in asynchronous code.

    - Parameters:
      - a: A molecule of this definition.
      - executor: What the task prefers.
    \(commonParameters)
      - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    - Returns: The reaction, to say more about it.
    """

let whenMain = """
    Declares a reaction, with a body on the main actor.

    The body runs in a task of its own, on the main actor, and may suspend.

    - Parameters:
      - a: A molecule of this definition.
      - actor: `MainActor.self`.
    \(commonParameters)
      - body: Gets what the molecules carry, in their order. What it throws is handled as ``failurePolicy`` says.
    - Returns: The reaction, to say more about it.
    """

func updating(_ isAsynchronous: Bool) -> String {
    let manner =
        isAsynchronous
        ? """
        The body runs in a task of its own and may suspend. What it makes of the state is committed when it returns; until then readers
        see the value before.
        """
        : """
        The body runs in a worker and changes the
        state where it lies. It must not block its thread.
        """
    return """
        Declares a reaction that updates a state, with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

        ```swift
        join.when(deposit, updating: balance) { balance, amount in balance += amount }
        ```

        It has the state to itself: other reactions that need it wait. \(manner)

        There are overloads for up to four states, and an array of states is one too. A state that is only read is an input:
        ``StateMolecule/value``. The body gets the states first, then the inputs as they are written.

        - Parameters:
          - a: A molecule of this definition.
          - s0: A state of this definition.
        \(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
          - body: Gets the states, to change them, and what the molecules carry. What it throws is handled as
            ``failurePolicy`` says.
        - Returns: The reaction, to say more about it.
        """
}

func reading(_ isAsynchronous: Bool) -> String {
    """
    Declares a reaction that reads a state, with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

    The state stays where it is, so any number of such bodies can run at the same time. `join.when(a, s.value)` says the same, with the
    value behind the inputs.

    - Parameters:
      - a: A molecule of this definition.
      - s0: A state of this definition.
    \(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
      - body: Gets the values of the states, and what the molecules carry. What it throws is handled as ``failurePolicy`` says.
    - Returns: The reaction, to say more about it.
    """
}

func answer(_ isAsynchronous: Bool, _ use: Use?) -> String {
    let states =
        switch use {
        case nil: ""
        case .updating: " and updates a state"
        case .reading: " and reads a state"
        }
    let manner =
        isAsynchronous
        ? "The body runs in a task of its own and may suspend."
        : """
        If the reaction is possible when the molecule is called, the body runs in the calling task, without suspending it; else in a
        worker. It must not block its thread.
        """
    let sample =
        switch use {
        case nil: "join.answer(take, with: item) { _, item in item }"
        case .updating: "join.answer(next, updating: count) { count, _ in count += 1; return count }"
        case .reading: "join.answer(value, reading: count) { count, _ in count }"
        }
    return """
        Declares a reaction that answers `fast` with the result of its body\(states), with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

        ```swift
        \(sample)
        ```

        \(manner)\(use == .updating ? " The states are committed before the caller goes on." : "")

        - Parameters:
          - fast: The molecule whose calls are answered.
        \(use == nil ? "" : "  - s0: A state of this definition.\n")\(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
          - body: Gets the states, the argument of the call, and what the other molecules carry. What it throws, the caller gets.
        - Returns: The reaction, to say more about it.
        """
}

func group(_ isAll: Bool, _ isAsynchronous: Bool, _ states: Int) -> String? {
    guard states == 0 else { return nil }
    let manner =
        isAsynchronous
        ? "The body runs in a task of its own and may suspend."
        : "The body runs in a worker, concurrently with others. It must not block its thread."
    let parameter =
        isAll
        ? "  - molecules: Molecules of this definition, at least 1. One that stands there twice gives two copies."
        : "  - count: How many copies have to be present, at least 1.\n  - molecule: A molecule of this definition."
    return """
        Declares a reaction that consumes \(isAll ? "one copy of each molecule of an array" : "`count` copies of one molecule"), with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

        ```swift
        \(isAll ? "join.when(all: parts) { parts in whole(parts.reduce(Data(), +)) }" : "join.when(4, of: vote, updating: result) { result, votes in result.add(votes) }")
        ```

        \(manner) An array of molecules is an input like any other, so it can stand beside others, too.

        - Parameters:
        \(parameter)
        \(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
          - body: Gets what they carry, \(isAll ? "in the order of the array" : "oldest first if the molecule is").
        - Returns: The reaction, to say more about it.
        """
}

func matching(_ isAnswer: Bool, _ isAsynchronous: Bool) -> String {
    let manner =
        isAsynchronous
        ? "The body runs in a task of its own and may suspend."
        : "The body runs in a worker, concurrently with others. It must not block its thread."
    let sample =
        isAnswer
        ? "join.answer(lookUp, with: entry, matching: \\.self, \\.name) { name, entry in entry.number }"
        : "join.when(order, payment, matching: \\.id, \\.orderID) { order, payment in ship(order, payment) }"
    return """
        Declares a reaction \(isAnswer ? "that answers `fast` and whose inputs have" : "of inputs that have") the same key, with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

        ```swift
        \(sample)
        ```

        It starts if, and only if, there are copies of all inputs whose keys are equal, whatever else waits. If that is so for several
        keys, one is chosen at random; of the copies with one key, the oldest. A molecule can stand there more than once, also with
        different keys: no copy is taken twice.

        Whoever injects a value computes its key, outside of any lock. Then it goes to those with the same key, through an index. \(manner)

        - Parameters:
        \(isAnswer ? "  - fast: The molecule whose calls are answered.\n" : "")  - a: A molecule of this definition.
        \(isAnswer ? "  - key: What to match of the argument.\n  - ka: What to match of the other input." : "  - b: Another one, or the same.\n  - ka: What to match of the first input.\n  - kb: What to match of the second one.")
        \(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
          - body: Gets \(isAnswer ? "the argument of the call, and " : "")what the molecules carry. \(isAnswer ? "What it throws, the caller gets." : "What it throws is handled as ``failurePolicy`` says.")
        - Returns: The reaction, to say more about it.
        - Complexity: O(inputs) for each copy, however many wait.
        """
}

func trying(_ isAnswer: Bool, _ isAsynchronous: Bool) -> String {
    let manner =
        isAsynchronous
        ? "The body runs in a task of its own and may suspend."
        : "The body runs in a worker, concurrently with others. It must not block its thread."
    let sample =
        isAnswer
        ? "join.answer(book, with: room, where: { guests, room in room.beds >= guests }) { _, room in room }"
        : "join.when(driver, rider, where: { $0.distance(to: $1) < 1 }) { driver, rider in meet(driver, rider) }"
    return """
        Declares a reaction \(isAnswer ? "that answers `fast` and whose inputs meet" : "of inputs that meet") a condition together, with \(isAsynchronous ? "an asynchronous" : "a synchronous") body.

        ```swift
        \(sample)
        ```

        For whatever nothing else says: each new copy is tried with all combinations of older ones, oldest first, until one meets the
        condition. So the price grows with what waits; where inputs have to agree in something, use `matching:`, and where a single
        value decides, ``part(_:of:order:where:fileID:line:)-(_,SlowMolecule<Value>,_,_,_,_)``.
        ``ChemicalEvent/Kind/searchesForLong(location:combinations:)`` is reported if there are many combinations.

        The condition runs in whoever is about to run the reaction, outside of any lock, in one task at a time. \(manner)

        - Parameters:
        \(isAnswer ? "  - fast: The molecule whose calls are answered.\n" : "")  - a: A molecule of this definition.
        \(isAnswer ? "" : "  - b: Another one, or the same.\n")  - condition: Whether inputs with these values fit together. It must depend on the values alone, be short and not inject
            anything.
        \(isAsynchronous ? "  - executor: What the task prefers; nil for the machine's own.\n" : "")\(commonParameters)
          - body: Gets \(isAnswer ? "the argument of the call, and " : "")what the molecules carry. \(isAnswer ? "What it throws, the caller gets." : "What it throws is handled as ``failurePolicy`` says.")
        - Returns: The reaction, to say more about it.
        - Complexity: For each new copy, O(n) with two inputs of which n copies wait; O(n²) with three, O(n³) with four.
        """
}

// MARK: Which there are

let header = """
    // Written by Scripts/generate-overloads.swift: change that instead.
    // swift-format-ignore-file


    """

/// Where a file lies. The compiler tries the overloads in the order in which they are declared, and compiles the files
/// in the order of their paths. If one that doesn't fit comes before the one that is meant, it may spoil the message
/// for a mistake in a body: "failed to produce diagnostic". So those come first that are written most, and the refused
/// ones last. What stands outside of `Shells` stands behind it for the same reason, in `Special`.
enum Folder: String { case common = "", special = "Special/", refused = "Unavailable/" }

func write(_ name: String, in folder: Folder = .common, _ shells: [Shell]) throws {
    try write(name, in: folder, shells.map(\.text))
}

func write(_ name: String, in folder: Folder, _ shells: [String]) throws {
    let text = header + "extension Join.Builder {\n" + shells.joined(separator: "\n") + "}\n"
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appending(path: "Sources/ChemActors/Reactions/Shells/\(folder.rawValue)\(name).swift")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
}

let kinds: [Kind] = [.synchronous, .asynchronous]
let documentedWhen: [Kind: String] = [
    .synchronous: whenSynchronous, .asynchronous: whenAsynchronous, .blocking: whenBlocking, .mainActor: whenMain,
]

try write(
    "Builder+When",
    [(Kind.synchronous, 12), (.asynchronous, 12), (.blocking, 9), (.mainActor, 9)].flatMap { kind, most in
        (1...most).map { Shell(kind: kind, inputs: $0, documentation: $0 == 1 ? documentedWhen[kind] : nil) }
    }
)
try write(
    "Builder+WhenUpdating",
    kinds.flatMap { kind in
        (1...4).flatMap { states in
            (1...3).map { inputs in
                let isFirst = states == 1 && inputs == 1
                return Shell(
                    kind: kind,
                    inputs: inputs,
                    states: states,
                    documentation: isFirst ? updating(kind == .asynchronous) : nil
                )
            }
        }
    }
)
try write(
    "Builder+WhenReading",
    kinds.flatMap { kind in
        (1...2).flatMap { states in
            (1...3).map { inputs in
                let isFirst = states == 1 && inputs == 1
                return Shell(
                    kind: kind,
                    inputs: inputs,
                    states: states,
                    use: .reading,
                    documentation: isFirst ? reading(kind == .asynchronous) : nil
                )
            }
        }
    }
)
let copies = Shell.Group(
    parameters: ["_ count: Int", "of molecule: A"],
    value: "copies(count, of: molecule, fileID: fileID, line: line)"
)
let all = Shell.Group(parameters: ["all molecules: [A]"], value: "nonEmpty(molecules, fileID, line)")
try write(
    "Builder+WhenMany",
    in: .special,
    kinds.flatMap { kind in
        [copies, all].enumerated().flatMap { index, form in
            (0...2).map { states in
                Shell(
                    kind: kind,
                    inputs: 1,
                    states: states,
                    documentation: group(index == 1, kind == .asynchronous, states),
                    group: form
                )
            }
        }
    }
)
try write(
    "Builder+Answer",
    kinds.flatMap { kind in
        (0...9).map { inputs in
            Shell(
                isAnswer: true,
                kind: kind,
                inputs: inputs,
                documentation: inputs == 0 ? answer(kind == .asynchronous, nil) : nil
            )
        }
    }
)
try write(
    "Builder+AnswerUpdating",
    kinds.flatMap { kind in
        (1...4).flatMap { states in
            (0...2).map { inputs in
                let isFirst = states == 1 && inputs == 0
                return Shell(
                    isAnswer: true,
                    kind: kind,
                    inputs: inputs,
                    states: states,
                    documentation: isFirst ? answer(kind == .asynchronous, .updating) : nil
                )
            }
        }
    }
)
try write(
    "Builder+AnswerReading",
    kinds.flatMap { kind in
        (1...2).flatMap { states in
            (0...2).map { inputs in
                let isFirst = states == 1 && inputs == 0
                return Shell(
                    isAnswer: true,
                    kind: kind,
                    inputs: inputs,
                    states: states,
                    use: .reading,
                    documentation: isFirst ? answer(kind == .asynchronous, .reading) : nil
                )
            }
        }
    }
)

let several = Shell.Group(parameters: ["_ count: Int", "of molecule: A"], value: "")
for (selection, name) in [(Shell.Selection.keys, "Builder+Matching"), (.condition, "Builder+Where")] {
    var shells: [Shell] = []
    for kind in kinds {
        let isAsynchronous = kind == .asynchronous
        for isAnswer in [false, true] {
            for inputs in isAnswer ? 1...3 : 2...4 {
                for states in 0...1 {
                    var shell = Shell(
                        isAnswer: isAnswer,
                        kind: kind,
                        inputs: inputs,
                        states: states,
                        selection: selection
                    )
                    if inputs == (isAnswer ? 1 : 2), states == 0 {
                        shell.documentation =
                            selection == .keys ? matching(isAnswer, isAsynchronous) : trying(isAnswer, isAsynchronous)
                    }
                    shells.append(shell)
                }
            }
        }
        guard selection == .keys else { continue }
        for states in 0...1 {
            shells.append(Shell(kind: kind, inputs: 1, states: states, group: several, selection: .keys))
        }
    }
    try write(name, in: .special, shells)
}

// MARK: Which there aren't

extension Shell {
    /// One that doesn't exist, so that the compiler says `message` to who writes it.
    func refused(_ message: String, returning result: String? = nil) -> String {
        let body = bodyType.replacing("@escaping ", with: "")
        let parameters = parameters.filter { !$0.hasPrefix("fileID") && !$0.hasPrefix("line") }
        let types = result.map { generics.isEmpty ? "<\($0)>" : "\(generics.dropLast()), \($0)>" } ?? generics
        let lines =
            ["/// Unavailable.", "@available(*, unavailable, message: \"\(message)\")"]
            + ["public func \(isAnswer ? "answer" : "when")\(types)("] + wrapped(parameters).map { "    \($0)" }
            + ["    _ body: \(result.map { body.replacing("-> Void", with: "-> \($0)") } ?? body)) {"]
            + ["    fatalError(\"unavailable\")", "}"]
        return lines.map { "    \($0)\n" }.joined()
    }
}

let onMain =
    "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'"
func tooMany(_ isAnswer: Bool) -> String {
    isAnswer
        ? "beside states, a call takes two molecules at most: put more together, 'with: join.all(a, b, c)'"
        : "beside states, a reaction takes three molecules at most: put more together, 'join.when(join.all(a, b, c, d), …)'"
}
let tooManyRead = "'reading:' takes two states at most: read more as molecules, by 'state.value'"
let tooManyUpdated = "a reaction updates four states at most: put together what changes together, as a structure"
let tooManyChosen =
    "a condition looks at four inputs at most: let a reaction put some of them together first, as one molecule"
let withoutWith =
    "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other, …)'"
let nobodyGetsIt =
    "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got"

var refused: [String] = []
for isAnswer in [false, true] {
    for use in [Use.updating, .reading] {
        for inputs in isAnswer ? 0...1 : 1...3 {
            for states in 1...2 {
                let shell = Shell(isAnswer: isAnswer, kind: .mainActor, inputs: inputs, states: states, use: use)
                refused.append(shell.refused(onMain))
            }
        }
    }
}
// More than there are overloads for.
for isAnswer in [false, true] {
    for use in [Use.updating, .reading] {
        let inputs = isAnswer ? 3 : 4
        let shell = Shell(isAnswer: isAnswer, kind: .synchronous, inputs: inputs, states: 1, use: use)
        refused.append(shell.refused(tooMany(isAnswer)))
    }
    let few = isAnswer ? 0 : 1
    refused.append(
        Shell(isAnswer: isAnswer, kind: .synchronous, inputs: few, states: 3, use: .reading).refused(tooManyRead)
    )
    refused.append(Shell(isAnswer: isAnswer, kind: .synchronous, inputs: few, states: 5).refused(tooManyUpdated))
    refused.append(
        Shell(isAnswer: isAnswer, kind: .synchronous, inputs: few + 4, selection: .condition).refused(tooManyChosen)
    )
}
for inputs in 1...2 {
    for use in [Use.updating, .reading] {
        var shell = Shell(isAnswer: true, kind: .synchronous, inputs: inputs, states: 1, use: use)
        shell.lacksWith = true
        refused.append(shell.refused(withoutWith))
    }
}
for inputs in 1...3 {
    for states in 0...1 {
        let shell = Shell(kind: .synchronous, inputs: inputs, states: states)
        refused.append(shell.refused(nobodyGetsIt, returning: "Result"))
    }
}
try write("Builder+Refused", in: .refused, refused)
