import ChemActors
import ChemBase

// The definition behind every graph, with the reactions that ``FlowGraph`` describes.

extension FlowGraph {
    /// The molecules and the definition that the graph uses.
    struct Names: Exportable {
        let event: SlowMolecule<FlowEvent>
        let call: FastMolecule<FlowCall, Void>
        let resumption: SlowMolecule<Void>
        let rooms: [FlowRoom]
        let definition: Join

        var exported: Names {
            Names(
                event: event.exported,
                call: call.exported,
                resumption: resumption.exported,
                rooms: rooms.exported,
                definition: definition
            )
        }
    }

    /// Makes the definition of a graph.
    static func define(_ core: FlowCore, _ capacities: [Int], _ options: Options) -> Names {
        let machine = options.machine ?? Join.currentMachine
        return machine.defineUnstarted(
            options.name,
            in: options.surroundings,
            fileID: options.fileID,
            line: options.line
        ) { join in
            declare(core, capacities, options, on: machine, &join)
        }
    }

    /// The chemistry of every graph.
    private static func declare(
        _ core: FlowCore,
        _ capacities: [Int],
        _ options: Options,
        on machine: ChemicalMachine,
        _ join: inout Join.Builder
    ) -> Names {
        join.isNotKeptByInnerDefinitions()
        join.endsWhenCleared()
        let event = join.slow("event", of: FlowEvent.self, order: .oldestFirst)
        let idle = join.slow("idle", of: FlowCore.self)
        let waiting = join.slow("waiting", of: FlowCore.self)
        let resume = join.slow("resume")
        let start = join.slow("start", of: FlowJob.self)
        let startOnMain = join.slow("startOnMain", of: FlowJob.self)
        let done = join.slow("done", of: FlowDone.self)
        let call = join.fast("sendAndWait", of: FlowCall.self, returning: Void.self, order: .oldestFirst)
        let name = options.name
        let steps = options.mode == .reference ? (0..<core.stepCount).map { join.slow("step \($0)") } : []
        let goOn: @Sendable (FlowCore) -> Void = { core in
            let outcome = core.proceed()
            lookAtFeedback(of: core, on: machine, in: name)
            switch outcome {
            case .idle:
                idle(core)
            case .suspended:
                for job in core.takeJobs() { (job.isOnMainActor ? startOnMain : start)(job) }
                waiting(core)
            case .again:
                waiting(core)
                resume()
            case .step(let position):
                waiting(core)
                steps[position]()
            }
        }
        join.when(event, idle) { event, core in
            core.begin(event)
            goOn(core)
        }
        join.when(done, waiting) { done, core in
            core.accept(done)
            if core.isWaitingForJobs { waiting(core) } else { goOn(core) }
        }
        join.when(resume, waiting) { _, core in goOn(core) }
        declareJobs(start, startOnMain, done, core.statistics, &join)
        join.when(call) { reply in event(.awaited(FlowWaiter(reply, of: name))) }
        for (position, step) in steps.enumerated() {
            join.when(step, waiting) { _, core in
                core.step(position)
                goOn(core)
            }
        }
        let rooms = declareRooms(capacities, &join)
        idle(core)
        return Names(event: event, call: call, resumption: resume, rooms: rooms, definition: join.definition)
    }

    /// Reports a cycle that may have no end.
    private static func lookAtFeedback(of core: FlowCore, on machine: ChemicalMachine, in name: String) {
        guard core.feedbackCount > 0 else { return }
        machine.lookAtLongRun(of: "feedback to \(core.fedBack)", in: name) { core.lookAtFeedback($0) }
    }

    /// The operators that suspend, here and on the main actor.
    private static func declareJobs(
        _ start: SlowMolecule<FlowJob>,
        _ startOnMain: SlowMolecule<FlowJob>,
        _ done: SlowMolecule<FlowDone>,
        _ statistics: FlowStatisticsBox,
        _ join: inout Join.Builder
    ) {
        join.when(start) { job in
            let write = await FlowRun(of: statistics).run(job.run)
            done(FlowDone(position: job.position, write: write))
        }
        join.when(startOnMain, on: MainActor.self) { job in
            let write = await FlowRun(of: statistics).run(job.run)
            done(FlowDone(position: job.position, write: write))
        }
    }

    /// The rooms in which the values of sources with these capacities wait.
    private static func declareRooms(_ capacities: [Int], _ join: inout Join.Builder) -> [FlowRoom] {
        var rooms: [FlowRoom] = []
        for (number, capacity) in capacities.enumerated() {
            let place = join.slow("place \(number)")
            let enter = join.fast("enter \(number)", order: .oldestFirst)
            join.answer(enter, with: place) { _, _ in }
            place.inject(contentsOf: repeatElement((), count: capacity.countable))
            rooms.append(FlowRoom(enter: enter, place: place))
        }
        return rooms
    }

    static func makeMainOutlets(_ options: Options) -> (SlowMolecule<FlowMainAction>, Join) {
        let machine = options.machine ?? Join.currentMachine
        var definition: Join?
        let perform = machine.defineUnstarted(
            "\(options.name).outlets",
            on: MainActor.self,
            in: options.surroundings,
            fileID: options.fileID,
            line: options.line
        ) { join in
            join.isNotKeptByInnerDefinitions()
            let perform = join.slow("perform", of: FlowMainAction.self, order: .oldestFirst)
            join.when(perform) { action in MainActor.assumeIsolated { action.run() } }
            definition = join.definition
            return perform
        }
        guard let definition else { fatalError("ChemLibrary: a definition was made without its closure") }
        return (perform, definition)
    }
}
