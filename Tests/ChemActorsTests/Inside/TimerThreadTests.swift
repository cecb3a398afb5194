import Dispatch
import TestSupport
import Testing

@testable import ChemActors

/// The thread of the timer, which all machines share: no code of a user may hold it up.
@Suite("The thread of the timer", .endsInTime)
struct TimerThreadTests {
    /// Counts where its instances are released.
    private final class Argument: Sendable {
        /// Known on the queue of the deadlines only.
        static let key = {
            let key = DispatchSpecificKey<Void>()
            Deadlines.queue.setSpecific(key: key, value: ())
            return key
        }()

        private let released: Guarded<(here: Int, elsewhere: Int)>

        init(_ released: Guarded<(here: Int, elsewhere: Int)>) { self.released = released }

        var number: Int { 1 }

        deinit {
            let isHere = DispatchQueue.getSpecific(key: Self.key) != nil
            released.withLock { if isHere { $0.here += 1 } else { $0.elsewhere += 1 } }
        }
    }

    @Test("The arguments of calls whose time is up are released elsewhere", arguments: [false, true])
    func arguments(isGuarded: Bool) async throws {
        let released = Guarded((here: 0, elsewhere: 0))
        let ask = Join.define("shop") { join in
            let ask = join.fast("ask", of: Argument.self, returning: Int.self)
            let item = join.slow("item", of: Int.self)
            if isGuarded {
                join.when(ask, item, where: { $0.number == $1 }) { reply, n in reply(n) }
            } else {
                join.when(ask, item) { reply, n in reply(n) }
            }
            return ask
        }
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<100 {
                        let code = await ControlProbe.code {
                            _ = try await ask(Argument(released), within: .microseconds(100))
                        }
                        #expect(code == .timedOut)
                    }
                }
            }
        }
        try await until { released.now.here + released.now.elsewhere == 2_000 }
        #expect(released.now.here == 0)
    }
}
