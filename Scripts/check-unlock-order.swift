// Checks that a reference is retained before the lock under which it was stored or read is released:
//
//     swift Scripts/check-unlock-order.swift .build/release/Modules
//
// LLVM's pass for reference counts moves a `swift_retain` down past stores, atomic ones as well: past the unlocking,
// where another thread may already have released the last reference. The fence in `Lock.unlock` keeps it from that.
// Nothing in the language says so; hence this look at what the compiler makes of the programs in
// Tests/Fixtures/UnlockOrder:
//
//     Shapes   straight-line code, compiled together with the folder of each lock of this package
//     Steps    a client of the release module: steps of the soup, after which nothing is left to retain
//     Bodies   the same with bodies, which may retain what they like, though not in the unlocking's own block
//
// And since a check that can't fail says nothing, the shapes are also compiled with the fence taken out of the lock:
// then retains must be found behind the unlocking.
//
// It looks at optimized LLVM IR, which is the same text for all processors, and has the retains and the order of
// atomics in it.

import Foundation

let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let fixtures = root.appending(path: "Tests/Fixtures/UnlockOrder")
let workplace = FileManager.default.temporaryDirectory.appending(path: "unlock-order-\(UUID().uuidString)")

func stop(_ message: String) -> Never {
    try? FileManager.default.removeItem(at: workplace)
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(1)
}

guard CommandLine.arguments.count == 2 else {
    stop(
        "usage: swift Scripts/check-unlock-order.swift FOLDER, the folder of ChemActors.swiftmodule of a release build"
    )
}
let modules = CommandLine.arguments[1]

// MARK: Compiling

func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
}

/// The optimized IR of one module made of `sources`, by file name.
func compile(_ name: String, _ sources: [String: String], _ flags: [String] = []) throws -> String {
    let folder = workplace.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [String] = []
    for (file, text) in sources {
        let place = folder.appending(path: file)
        try text.write(to: place, atomically: true, encoding: .utf8)
        files.append(place.path)
    }
    let result = folder.appending(path: "result.ll")
    let (status, output) = try run(
        ["swiftc", "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", name]
            + flags + ["-emit-ir", "-o", result.path] + files.sorted()
    )
    guard status == 0 else { stop("\(name) doesn't compile:\n\(output)") }
    return try String(contentsOf: result, encoding: .utf8)
}

func fixture(_ name: String) throws -> String {
    try String(contentsOf: fixtures.appending(path: "\(name).fixture"), encoding: .utf8)
}

// MARK: Looking at the result

/// What matters in a block of instructions.
enum Event { case lock, unlock, retain(String) }

struct Block {
    var events: [Event] = []
    var next: [String] = []
}

struct Function {
    let name: String
    /// The label of the first block, which has none in the text, is empty.
    var blocks: [String: Block] = ["": Block()]

    var unlocks: Int {
        blocks.values.flatMap(\.events).count { if case .unlock = $0 { true } else { false } }
    }

    /// The retains behind an unlocking: in the same block, or on all ways from there, up to the next locking.
    func lateRetains(onAllWays: Bool) -> [String] {
        var found: [String] = []
        for (label, block) in blocks {
            for (index, event) in block.events.enumerated() {
                guard case .unlock = event else { continue }
                var seen: Set<String> = []
                var ways = [(label, index + 1)]
                while let (label, first) = ways.popLast() {
                    var isLocked = false
                    for event in blocks[label, default: Block()].events.dropFirst(first) {
                        if case .lock = event { isLocked = true }
                        if isLocked { break }
                        if case .retain(let text) = event { found.append(text) }
                    }
                    guard onAllWays, !isLocked else { continue }
                    for next in blocks[label, default: Block()].next where seen.insert(next).inserted {
                        ways.append((next, 0))
                    }
                }
            }
        }
        return found
    }
}

let label = #/^("[^"]+"|[-\w.$]+):/#
let target = #/label %("[^"]+"|[-\w.$]+)/#
let name = #/@("[^"]+"|[-\w.$]+)\(/#
/// A function of the runtime that retains, or an outlined copy.
let retaining = #/@(_?swift_\w*[rR]etain\w*|"\$s\w*WO[yrc]")\(/#

func functions(of text: String) -> [Function] {
    var result: [Function] = []
    var function: Function?
    var place = ""
    for line in text.split(separator: "\n") {
        if line.hasPrefix("define ") {
            function = Function(name: line.firstMatch(of: name).map { String($0.1) } ?? "?")
            place = ""
        } else if line == "}", let complete = function {
            result.append(complete)
            function = nil
        } else if function != nil {
            if let start = line.prefixMatch(of: label) {
                let name = String(start.1)
                // The first block may have a label all the same.
                if place.isEmpty, function?.blocks[""]?.events.isEmpty == true {
                    function?.blocks[""]?.next.append(name)
                }
                place = name
                function?.blocks[place] = Block()
                continue
            }
            if line.contains("store atomic"), line.contains(" release,") || line.contains(" seq_cst,") {
                function?.blocks[place]?.events.append(.unlock)
            } else if line.contains("atomicrmw"), line.contains(#/ (release|acq_rel|seq_cst)/#) {
                function?.blocks[place]?.events.append(.unlock)
            } else if line.contains("cmpxchg"), line.contains(#/ (acquire|acq_rel|seq_cst) /#) {
                function?.blocks[place]?.events.append(.lock)
            } else if line.contains("call "), line.contains(retaining) {
                function?.blocks[place]?.events.append(.retain(line.trimmingCharacters(in: .whitespaces)))
            }
            guard line.contains("label %") else { continue }
            for way in line.matches(of: target) { function?.blocks[place]?.next.append(String(way.1)) }
        }
    }
    return result
}

var problems: [String] = []
var unlocks = 0

/// Looks at all functions of `text`; returns what it has found.
func lateRetains(_ what: String, _ text: String, onAllWays: Bool) -> [String] {
    let unlocking = functions(of: text).filter { $0.unlocks > 0 }
    unlocks += unlocking.count
    if unlocking.isEmpty { problems.append("\(what): no function with an unlocking. Is it done in another way now?") }
    return unlocking.flatMap { function in
        Set(function.lateRetains(onAllWays: onAllWays)).sorted().map { "\(what): \(function.name): \($0)" }
    }
}

// MARK: The locks of this package

let shapes = try fixture("Shapes")
var locks = 0
let fence = "atomicMemoryFence(ordering: .acquiring)"
let sources = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
for case let file as URL in sources ?? .init() where file.pathExtension == "swift" {
    let text = try String(contentsOf: file, encoding: .utf8)
    guard text.contains("func unlock()"), let type = text.firstMatch(of: #/(?:struct|class) (\w*Lock)\b/#)?.1 else {
        continue
    }
    locks += 1
    var rest = ["Shapes.swift": shapes, "Name.swift": type == "Lock" ? "" : "typealias Lock = \(type)"]
    // What the lock is made of lies in its folder.
    let folder = file.deletingLastPathComponent()
    for neighbour in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where neighbour.pathExtension == "swift" && neighbour.lastPathComponent != file.lastPathComponent {
        rest[neighbour.lastPathComponent] = try String(contentsOf: neighbour, encoding: .utf8)
    }
    let what = "Shapes with \(file.lastPathComponent)"
    let package = ["-package-name", "chemactors"]
    let good = try compile("Shapes", rest.merging([file.lastPathComponent: text]) { $1 }, package)
    problems += lateRetains(what, good, onAllWays: true)
    let unfenced = text.replacing(fence, with: "")
    let bad = try compile("Shapes", rest.merging([file.lastPathComponent: unfenced]) { $1 }, package)
    if lateRetains(what, bad, onAllWays: true).isEmpty {
        problems.append("\(what), without its fence: no retain behind the unlocking. So this check sees nothing.")
    }
}
if locks == 0 { problems.append("no file in Sources has a type named …Lock with a function 'unlock()'") }

// MARK: Clients

for (name, onAllWays) in [("Steps", true), ("Bodies", false)] {
    let text = try compile(name, ["\(name).swift": try fixture(name)], ["-I", modules])
    problems += lateRetains(name, text, onAllWays: onAllWays)
}

try? FileManager.default.removeItem(at: workplace)
if !problems.isEmpty {
    stop(
        "Retains behind the store that releases a lock (see Lock.unlock), or nothing to look at:\n"
            + problems.joined(separator: "\n")
    )
}
print("\(unlocks) functions with an unlocking, in \(locks) lock(s) and two clients: every retain comes before it.")
