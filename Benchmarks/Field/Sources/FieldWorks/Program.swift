import Foundation

/// A program with works: `../../README.md` says what it takes and prints.
package struct Program: Sendable {
    private let name: String
    private let version: String
    private let works: [Work]

    package init(_ name: String, version: String, _ works: [Work]) {
        self.name = name
        self.version = version
        self.works = works
    }

    /// Does what the arguments say, and ends the program if that fails.
    package func run(_ arguments: [String]) async {
        switch arguments {
        case ["list"]:
            for work in works {
                print(#"{"work": "\#(work.name)", "variant": "\#(work.variant)", "size": \#(work.size)}"#)
            }
        case ["version"]:
            print(version)
        default:
            guard arguments.count == 4 else {
                stop(2, "usage: \(name) WORK VARIANT SIZE REPETITIONS, \(name) list, or \(name) version")
            }
            guard let work = works.first(where: { [$0.name, $0.variant] == arguments.prefix(2) }) else {
                stop(2, "there is no \(arguments[0]) by \(arguments[1]): see \(name) list")
            }
            await measure(work, size: number(arguments[2]), repetitions: number(arguments[3]))
        }
    }

    private func measure(_ work: Work, size: Int, repetitions: Int) async {
        do {
            for repetition in 0...repetitions {
                // Detached: the main task would come back to the main thread.
                let outcome = try await Task.detached { try await work.run(size) }.value
                // The first one warms up.
                if repetition > 0 { report(work, outcome) }
            }
        } catch {
            stop(1, "\(work.name) by \(work.variant): \(error)")
        }
    }

    private func report(_ work: Work, _ outcome: Outcome) {
        let nanoseconds = (outcome.nanosecondsEach * 100).rounded() / 100
        print(
            #"{"work": "\#(work.name)", "variant": "\#(work.variant)", "operations": \#(outcome.operations), "#
                + #""nanoseconds": \#(nanoseconds), "checked": "\#(outcome.checked)"}"#
        )
        fflush(nil)
    }

    private func number(_ text: String) -> Int {
        guard let number = Int(text), number >= 1 else { stop(2, "'\(text)' is not a whole number of at least 1") }
        return number
    }

    private func stop(_ status: Int32, _ message: String) -> Never {
        FileHandle.standardError.write(Data("\(name): \(message)\n".utf8))
        exit(status)
    }

    /// Of the compiler.
    package static var swiftVersion: String {
        // A version that was released later has to be added here: what it measures must not pass for another one's.
        #if compiler(>=6.3.4)
            "a Swift after 6.3.3"
        #elseif compiler(>=6.3.3)
            "Swift 6.3.3"
        #elseif compiler(>=6.3.2)
            "Swift 6.3.2"
        #elseif compiler(>=6.3.1)
            "Swift 6.3.1"
        #else
            "Swift 6.3"
        #endif
    }
}
