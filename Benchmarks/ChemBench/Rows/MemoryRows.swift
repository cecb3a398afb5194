import ChemActors
import Foundation

/// What a molecule that waits costs in memory.
enum MemoryRows {
    static let all = [
        Row("memory/waiting", 1_000_000, quick: 1_000_000, unit: .bytes) { count in
            Measurement(total: try WaitingMolecules.bytesEachInChildProcess(count: count) * Double(count))
        }
    ]
}

/// Weighs molecules that wait for a partner.
///
/// In a child process, since what a process has once used and given back would be used again without growing it.
enum WaitingMolecules {
    private static let flag = "--weigh-molecules"

    /// What a child process is asked for.
    static func requestedCount(_ arguments: [String]) -> Int? {
        guard arguments.count == 3, arguments[1] == flag else { return nil }
        return Int(arguments[2])
    }

    /// What a child process answers.
    static func printBytesEach(count: Int) async {
        do { print(try await bytesEach(count: count)) } catch { Command.stop(1, "\(error)") }
    }

    /// The growth of this process for each of `count` molecules.
    static func bytesEach(count: Int) async throws -> Double {
        let sum = Sum()
        let (waiting, partner, definition) = Join.define("waiting") { join in
            let waiting = join.slow("waiting", of: Int.self)
            let partner = join.slow("partner")
            join.when(waiting, partner) { x, _ in sum.add(x) }
            return (waiting, partner, join.definition)
        }
        // Once through everything, so that what is paid once is paid.
        waiting(0)
        partner()
        try await definition.quiescence()

        let before = try ResidentMemory.bytes()
        for number in 1...count { waiting(number) }
        let after = try ResidentMemory.bytes()

        for _ in 1...count { partner() }
        try await definition.quiescence()
        try expect("the sum of the molecules that were waiting", sum.total, is: count * (count + 1) / 2)
        return Double(after - before) / Double(count)
    }

    static func bytesEachInChildProcess(count: Int) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [flag, String(count)]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()

        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard process.terminationStatus == 0, let bytes = Double(text) else {
            throw WrongResult(description: "the child process failed with status \(process.terminationStatus)")
        }
        guard (7.5...1_000).contains(bytes) else {
            throw WrongResult(description: "\(bytes) bytes for an Int and its place in the soup")
        }
        return bytes
    }
}
