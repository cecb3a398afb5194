// A server whose chemistry is watched, as README.md shows. It serves three customers, and ends.

import ChemActors
import ChemLogging
import ChemMetrics
import ChemServices
import ChemTracing
import Logging
import ServiceLifecycle
import Tracing
import UnixSignals

// snippet.server
@main
struct SampleServer {
    static func main() async throws {
        let logger = Logger(label: "shop")
        ChemicalMachine.bootstrap(
            ChemicalMachine.Configuration(
                reporter: ChemicalEvent.count(then: ChemicalEvent.log(to: logger)),
                patience: .seconds(30),
                recorder: .flight
            )
        )
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: MachineMetrics(.shared, every: .seconds(10))),
                    .init(service: MachineService(.shared)),
                    .init(service: Shop(), successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: [.sigterm],
                logger: logger
            )
        )
        try await services.run()
    }
}
// snippet.end

struct Shop: Service {
    func run() async throws {
        let (order, ship) = Join.define("shop") { join in
            let (order, stock) = (join.slow("order", of: String.self), join.slow("stock"))
            let ship = join.fast("ship", returning: String.self)
            join.answer(ship, with: order, stock) { _, name, _ in name }
            for _ in 1...3 { stock() }
            return (order, ship)
        }
        for name in ["Ada", "Grace", "Barbara"] { order(name) }
        for _ in 1...3 { print("shipped to", try await ship()) }
    }
}

// snippet.stuck
/// For a task that looks now and then, or a signal.
func tellOfStuckCalls(_ logger: Logger) {
    let count = ChemicalMachine.shared.logStuckCalls(after: .seconds(30), to: logger)
    logger.info("\(count) calls have been waiting for more than 30 seconds")
}
// snippet.end

// snippet.spans
func exportLastBodies(of machine: ChemicalMachine, since beginning: some TracerInstant) {
    machine.recording().exportSpans(to: InstrumentationSystem.tracer, startingAt: beginning)
}
// snippet.end
