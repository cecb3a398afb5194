import ChemActors
import ChemServices
import Logging
import ServiceLifecycle
import Synchronization
import Testing

/// With the real group of services.
@Suite(.timeLimit(.minutes(20)))
struct MachineServiceTests {
    struct Flaw: Error {}

    /// Gives work until it is shut down, as a server does.
    private struct Customers: Service {
        let order: SlowMolecule<Int>
        let ordered: Mutex<Int>.Shared

        func run() async throws {
            while !Task.isShuttingDownGracefully {
                order(1)
                ordered.add(1)
                await Task.yield()
            }
        }
    }

    private struct Closing: Service {
        let body: @Sendable () async throws -> Void
        func run() async throws { try await body() }
    }

    private func machine() -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))
    }

    private func group(_ services: [any Service]) -> ServiceGroup {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return ServiceGroup(services: services, logger: logger)
    }

    @Test func whatWasOrderedIsDoneBeforeItEnds() async throws {
        let machine = machine()
        let (ordered, done) = (Mutex<Int>.Shared(), Mutex<Int>.Shared())
        let (order, definition) = machine.define("kitchen") { join in
            let (order, plate) = (join.slow("order", of: Int.self), join.slow("plate", of: Int.self))
            join.when(order) { number in
                for _ in 1...5 { await Task.yield() }
                plate(number)
            }
            join.when(plate) { number in
                await Task.yield()
                done.add(number)
            }
            return (order, join.definition)
        }
        let group = group([MachineService(machine), Customers(order: order, ordered: ordered)])
        async let running: Void = group.run()
        while ordered.value < 1000 { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await running
        #expect(done.value == ordered.value)
        #expect(definition.snapshot().phase == .deactivated)
        withExtendedLifetime(order) {}
    }

    @Test func aCallThatNobodyAnswersHoldsNobodyUp() async throws {
        let machine = machine()
        let take = machine.define("box") { join in
            let (put, take) = (join.slow("put"), join.fast("take"))
            join.answer(take, with: put) { _, _ in }
            return take
        }
        let waiting = Task { try await take() }
        while machine.census().waitingCalls == 0 { await Task.yield() }
        let runs = Mutex<Int>.Shared()
        let closing = Closing {
            runs.add(1)
            try await gracefulShutdown()
        }
        let group = group([MachineService(machine), closing])
        async let running: Void = group.run()
        while runs.value == 0 { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await running
        await #expect(throws: CallError.self) { try await waiting.value }
    }

    /// Another service has failed: then nothing is finished, but nothing goes on either.
    @Test func whenTheGroupIsCancelledBodiesEndFirst() async throws {
        let machine = machine()
        let (started, ended) = (Mutex<Int>.Shared(), Mutex<Int>.Shared())
        let order = machine.define("kitchen") { join in
            let order = join.slow("order")
            join.when(order) { _ in
                started.add(1)
                try? await Task.sleep(for: .seconds(3600))
                ended.add(1)
            }
            return order
        }
        order.inject(contentsOf: Array(repeating: (), count: 4))
        let failing = Closing {
            while started.value == 0 { await Task.yield() }
            throw Flaw()
        }
        let group = group([MachineService(machine), failing])
        await #expect(throws: Flaw.self) { try await group.run() }
        #expect(ended.value == started.value)
        withExtendedLifetime(order) {}
    }

    /// What bodies make on their way to the end doesn't begin: nobody would end it.
    @Test func whatIsMadeAtTheEndDoesNotBegin() async throws {
        let machine = machine()
        let (started, made) = (Mutex<Int>.Shared(), Mutex<Int>.Shared())
        let listen = machine.define("listener") { join in
            let listen = join.slow("listen")
            join.when(listen) { _ in
                started.add(1)
                try? await Task.sleep(for: .seconds(3600))
                Join.define("session") { join in
                    let session = join.slow("session")
                    join.when(session) { _ async in
                        made.add(1)
                        try? await Task.sleep(for: .seconds(3600))
                    }
                    session()
                }
            }
            return listen
        }
        listen()
        let failing = Closing {
            while started.value == 0 { await Task.yield() }
            throw Flaw()
        }
        let group = group([MachineService(machine), failing])
        await #expect(throws: Flaw.self) { try await group.run() }
        #expect(made.value == 0)
        withExtendedLifetime(listen) {}
    }
}

extension Mutex where Value == Int {
    /// A number that several tasks count up.
    final class Shared: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock(\.self) }
        func add(_ more: Int) { number.withLock { $0 += more } }
    }
}
