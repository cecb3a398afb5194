import ChemActors
import ChemBase

/// A machine at one moment, as answers tell of it.
struct MachineView {
    private static let groupLimit = 200
    private static let callLimit = 50
    private static let memberLimit = 100
    private static let waiterLimit = 100
    private static let stuckLimit = 100
    private static let eventLimit = 200
    private static let eventLimitOfOne = 100
    /// Of how many definitions the last events are looked for.
    private static let laneLimit = 50

    private let machine: ChemicalMachine
    private let time: Double
    private let now = ContinuousClock.now

    init(_ machine: ChemicalMachine, time: Double) {
        self.machine = machine
        self.time = time
    }

    func overview(name: String, program: String) -> Overview {
        let (census, calls) = machine.census(oldestCalls: Self.callLimit)
        let groups = census.groups.sorted {
            let (first, second) = ($0.longestWait ?? .zero, $1.longestWait ?? .zero)
            return first != second ? first > second : $0.started > $1.started
        }
        return Overview(
            program: program,
            process: Int(Platform.process),
            machine: name,
            recorder: machine.configuration.recorder.name,
            time: time,
            definitions: census.definitions,
            waitingCalls: census.waitingCalls,
            running: census.running,
            started: census.started,
            failed: census.failed,
            groups: groups.prefix(Self.groupLimit).map { group in
                Overview.Group(
                    id: id(group.name, group.location),
                    name: group.name,
                    location: group.location,
                    definitions: group.definitions,
                    dissolved: group.dissolved,
                    started: group.started,
                    failed: group.failed,
                    running: group.running,
                    waitingCalls: group.waitingCalls,
                    present: group.present,
                    retries: group.pendingRetries,
                    longestWait: group.longestWait?.seconds,
                    waits: LatencyQuantiles(group.waits),
                    bodies: LatencyQuantiles(group.bodies)
                )
            },
            otherGroups: max(0, groups.count - Self.groupLimit),
            oldestCalls: calls.map { call in
                Overview.OldCall(
                    call: "\(call.definition.name).\(call.molecule)",
                    location: call.location,
                    wait: wait(since: call.entered),
                    group: id(call.definition.name, call.definition.madeAt),
                    definition: id(call.definition)
                )
            }
        )
    }

    func group(_ id: String) throws -> GroupDetail {
        guard let (name, location, group) = machine.group(id) else {
            throw Refusal("there are no definitions '\(id)' any more")
        }
        let drawing = group.drawing
        let members = group.members.sorted {
            let (first, second) = ($0.entered ?? now, $1.entered ?? now)
            return first != second ? first < second : $0.started > $1.started
        }
        return GroupDetail(
            id: id,
            name: name,
            location: location,
            time: time,
            definitions: members.count,
            molecules: drawing.molecules.compactMap { molecule in
                molecule.present.map {
                    GroupDetail.Molecule(name: molecule.name, kind: molecule.kind.name, present: $0)
                }
            },
            reactions: zip(group.reactions, drawing.reactions).map {
                GroupDetail.Reaction(inputs: $0, location: $1.location)
            },
            members: members.prefix(Self.memberLimit).map { member in
                GroupDetail.Member(
                    id: self.id(member.definition),
                    phase: member.phase.rawValue,
                    running: member.running,
                    waitingCalls: member.waitingCalls,
                    present: member.present,
                    started: member.started,
                    longestWait: member.entered.map { wait(since: $0) }
                )
            },
            otherMembers: max(0, members.count - Self.memberLimit),
            drawing: drawing.svg
        )
    }

    func definition(_ id: String) throws -> DefinitionDetail {
        guard let address = UInt(id, radix: 16), let definition = machine.definition(at: address) else {
            throw Refusal("there is no definition \(id) any more")
        }
        let (snapshot, statistics) = (definition.snapshot(), definition.statistics)
        let drawing = definition.drawing.showingCounts()
        return DefinitionDetail(
            id: id,
            group: self.id(snapshot.definition, snapshot.location),
            name: snapshot.definition,
            location: snapshot.location,
            time: time,
            phase: snapshot.phase.rawValue,
            running: snapshot.running,
            started: statistics.started,
            failed: statistics.failed,
            retries: statistics.pendingRetries,
            molecules: drawing.molecules.compactMap { molecule in
                guard let present = molecule.present else { return nil }
                let numbers = statistics.molecules[molecule.name]
                return DefinitionDetail.Molecule(
                    name: molecule.name,
                    kind: molecule.kind.name,
                    present: present,
                    injected: numbers?.injected ?? 0,
                    consumed: numbers?.consumed ?? 0
                )
            },
            reactions: snapshot.reactions.map {
                DefinitionDetail.Reaction(
                    inputs: $0.inputs.joined(separator: " & "),
                    location: $0.location,
                    missing: $0.missing
                )
            },
            waitingCalls: snapshot.waitingCalls.prefix(Self.waiterLimit).map {
                DefinitionDetail.Call(call: $0.molecule, location: $0.location, wait: wait(since: $0.entered))
            },
            otherCalls: max(0, snapshot.waitingCalls.count - Self.waiterLimit),
            drawing: drawing.svg,
            events: happenings(definition.lastEvents(Self.eventLimitOfOne))
        )
    }

    func stuck() -> Stuck {
        let report = machine.explainStuck()
        let groups = report.groups
        return Stuck(
            time: time,
            lacksRecorder: report.lacksRecorder,
            calls: groups.prefix(Self.stuckLimit).map { group in
                Stuck.Call(
                    call: group.call.name,
                    location: group.call.location,
                    wait: wait(since: group.call.entered),
                    count: group.count,
                    see: group.explainedBy.map { "\($0.name), called at \($0.location)" },
                    causes: group.explainedBy == nil ? group.call.causes.map { Stuck.Cause($0) } : []
                )
            },
            otherCalls: groups.dropFirst(Self.stuckLimit).reduce(0) { $0 + $1.count }
        )
    }

    func timeline() -> Timeline {
        Timeline(
            time: time,
            recorder: machine.configuration.recorder.name,
            events: happenings(machine.lastEvents(Self.eventLimit, of: Self.laneLimit))
        )
    }

    private func happenings(_ events: InspectedEvents) -> [Happening] {
        let recording = events.recording
        return events.range.map { index in
            let event = recording.events[index]
            let definition = recording.definitions[event.definition]
            return Happening(
                time: Double(events.begin) / 1e9 + event.time.seconds,
                definition: definition.name,
                lane: Int(events.numbers[event.definition]),
                kind: "\(event.kind)",
                subject: recording.subject(of: event),
                location: event.kind.isOfReaction ? definition.reactionLocations[event.subject] : nil,
                number: event.number,
                count: event.count,
                sender: event.sender.map { "\(recording.definitions[$0.definition].name) #\($0.number)" },
                senderLane: event.sender.map { Int(events.numbers[$0.definition]) }
            )
        }
    }

    private func id(_ name: String, _ location: String) -> String { "\(name)@\(location)" }

    private func id(_ definition: Join) -> String { String(definition.address, radix: 16) }

    private func wait(since entered: ContinuousClock.Instant) -> Double { max(0, entered.duration(to: now).seconds) }
}

extension Stuck.Cause {
    fileprivate init(_ cause: StuckReport.Cause) {
        self.init(text: cause.description, causes: cause.causes.map { Stuck.Cause($0) })
    }
}

extension JoinDrawing.Molecule.Kind {
    fileprivate var name: String {
        switch self {
        case .slow: "slow"
        case .fast: "fast"
        case .state: "state"
        case .foreign: "foreign"
        }
    }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
