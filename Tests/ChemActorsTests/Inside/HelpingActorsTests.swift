import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ChemActors

/// What callers that hold an actor run.
@Suite("Callers that hold an actor")
struct HelpingActorsTests {
    private static let mainQueueKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether this is where the main actor's jobs run.
    private static var isOnMainThread: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil
    }

    @MainActor private static func call(_ molecule: FastMolecule<Void, Void>) async throws { try await molecule() }

    @Test("The answer to somebody else's call doesn't run there, however short it is", .endsInTime)
    func answersToOthers() async throws {
        let (theirs, mine, definition) = Join.define { join in
            let theirs = join.fast("theirs", returning: Bool.self)
            let mine = join.fast("mine")
            join.answer(theirs, with: mine) { _, reply in
                reply()
                return Self.isOnMainThread
            }
            return (theirs, mine, join.definition)
        }
        /// As if the body had been short many times, however slow this machine is.
        func makeShort() {
            let entry = definition.soup.enter()
            entry.contents.reactions[0].isLong = false
            entry.contents.reactions[0].starts += 1_000
            entry.leaveUnchanged()
        }
        for _ in 0..<20 {
            let other = Task.detached { try await theirs() }
            try await until { definition.snapshot().waitingCalls.count == 1 }
            makeShort()
            try await Self.call(mine)
            let wasOnMain = try await other.value
            #expect(!wasOnMain)
        }
    }

    @Test("Its own answer runs there", .endsInTime)
    func ownAnswer() async throws {
        let mine = Join.define { join in
            let mine = join.fast("mine", returning: Bool.self)
            join.answer(mine) { _ in Self.isOnMainThread }
            return mine
        }
        let wasOnMain = try await Task { @MainActor in try await mine() }.value
        #expect(wasOnMain)
    }
}
