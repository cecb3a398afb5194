import ChemBase

/// Finds out why calls wait: who could make what they lack, what these lack, and so on.
struct Explainer {
    /// A molecule of one of the definitions.
    struct Place: Hashable {
        let view: Int
        let molecule: Int
    }

    typealias Cause = StuckReport.Cause

    let views: [DefinitionView]
    let places: [ObjectIdentifier: Place]
    /// The reactions that have taken calls and not answered them yet.
    let takers: [ObjectIdentifier: (view: Int, reaction: Int)]
    /// The calls that wait, or were taken and aren't answered yet.
    private let calls: [Call]
    /// The same by the tasks that made them.
    let callsOfTasks: [UInt: Call]
    /// For each molecule the reactions that are known to make it.
    private(set) var makers: [Place: [(view: Int, reaction: Int, isCall: Bool)]] = [:]

    init(_ definitions: [Join]) {
        // Oldest first.
        let views = definitions.reversed().map { DefinitionView($0) }
        self.views = views
        var places: [ObjectIdentifier: Place] = [:]
        for (index, view) in views.enumerated() {
            for molecule in view.molecules.indices {
                places[ObjectIdentifier(view.molecules[molecule].slot)] = Place(view: index, molecule: molecule)
            }
        }
        self.places = places
        var takers: [ObjectIdentifier: (view: Int, reaction: Int)] = [:]
        for (index, view) in views.enumerated() {
            for (call, reaction) in view.taken { takers[ObjectIdentifier(call)] = (index, reaction) }
        }
        self.takers = takers
        calls = views.flatMap { view in view.molecules.flatMap(\.calls) + view.taken.map(\.call) }
        callsOfTasks = Dictionary(calls.map { ($0.task, $0) }) { $1 }
        for (index, view) in views.enumerated() {
            for (number, reaction) in view.reactions.enumerated() {
                for output in reaction.outputs {
                    guard let place = places[output.slot],
                        views[place.view].molecules[place.molecule].name == output.molecule
                    else { continue }
                    makers[place, default: []].append((index, number, output.isCall))
                }
            }
        }
    }

    func report(after duration: Duration) -> StuckReport {
        var calls: [(call: Call, entered: ContinuousClock.Instant)] = []
        let reading = ClockReading()
        for call in self.calls {
            // What a reaction has taken at once has never begun to wait.
            let entered = reading.instant(at: call.entered)
            if entered.duration(to: reading.instant) >= duration { calls.append((call, entered)) }
        }
        calls.sort { $0.entered < $1.entered }
        // The same for all calls of a molecule that wait.
        var known: [ObjectIdentifier: [Cause]] = [:]
        return StuckReport(
            calls: calls.map { call, entered in
                let slot = ObjectIdentifier(call.slot)
                let isTaken = takers[ObjectIdentifier(call)] != nil
                // What a guard sees of a call is that call's own.
                let isAlike = !isTaken && call.features == nil
                let causes = (isAlike ? known[slot] : nil) ?? causes(of: call)
                if isAlike { known[slot] = causes }
                return StuckReport.Call(
                    molecule: call.slot.fullName,
                    location: call.location.description,
                    entered: entered,
                    causes: causes,
                    identifier: ObjectIdentifier(call)
                )
            },
            lacksRecorder: !calls.isEmpty && views.contains { !$0.isObserved }
        )
    }

    /// Why a call isn't answered.
    func causes(of call: Call) -> [StuckReport.Cause] {
        var way = Way()
        return causes(of: call, &way)
    }

    func causes(of call: Call, _ way: inout Way) -> [Cause] {
        guard let place = places[ObjectIdentifier(call.slot)] else { return [] }
        guard let taken = takers[ObjectIdentifier(call)] else {
            return causes(ofCallsAt: place, call, &way)
        }
        if way.calls.contains(where: { $0 === call }) {
            return [Cause(description: "this call is waited for above: this is a cycle", causes: [])]
        }
        way.calls.append(call)
        defer { way.calls.removeLast() }
        let view = views[taken.view]
        let reaction = view.reactions[taken.reaction]
        let subject = "\(reaction.text) has taken it"
        let bodies = view.bodies.filter { $0.reaction === reaction.description }
        if reaction.running == 0 {
            return [
                Cause(
                    description: "\(subject), and its body has ended: somebody has the reply",
                    causes: whoMayHave(theReplyOf: taken.view, &way)
                )
            ]
        }
        return [whatBodiesDo(bodies, "\(subject): its body", &way)]
    }

    /// Who most probably has the reply of a call of this definition: bodies of the definition that run, or a copy that
    /// waits for other inputs.
    private func whoMayHave(theReplyOf index: Int, _ way: inout Way) -> [Cause] {
        let view = views[index]
        let bodies = view.bodies.filter { $0.call != nil }
        if !bodies.isEmpty {
            return bodies.map { body in
                let text = "\(body.reaction.text) (\(body.reaction.location))"
                return whatBodiesDo([body], "\(text) of '\(view.join.name)' runs: its body", &way)
            }
        }
        if view.running > 0 { return [] }
        return view.reactions.filter { reaction in
            !view.isPossible(reaction)
                && reaction.needs.contains {
                    view.molecules[$0.molecule].slot.mayCarryReplies && view.molecules[$0.molecule].present > 0
                }
        }.map { lack(of: $0, in: index, except: nil, &way) }
    }

    /// What has been looked at on the way to a cause.
    struct Way {
        /// What is being explained now: who comes to it again has found a cycle.
        var current: [Place] = []
        /// The molecules whose calls are being explained.
        var places: [Place] = []
        /// The calls that were taken and are being explained now.
        var calls: [Call] = []
        /// What has been explained. Nobody reads it twice.
        var done: Set<Place> = []
        /// The reactions of which it has been said how they failed.
        var failed: Set<ObjectIdentifier> = []
    }

    /// What guards let a call wait for, reaction by reaction.
    private func guards(of call: Call, in view: DefinitionView) -> [[String]]? {
        if call.features == nil { return nil }
        let entry = view.join.soup.enter()
        let reactions = entry.state.chemistry.reactions
        let lacks =
            call.isWaiting(entry)
            ? reactions.map { $0.gates.compactMap { call.slot.lack(of: $0, for: call, entry) } } : nil
        entry.leaveUnchanged()
        // Users describe levels.
        return lacks.map { $0.map { $0.map { $0() } } }
    }

    private func causes(ofCallsAt place: Place, _ call: Call, _ way: inout Way) -> [Cause] {
        let view = views[place.view]
        way.current.append(place)
        way.places.append(place)
        defer {
            way.current.removeLast()
            way.places.removeLast()
        }
        switch view.phase {
        case .paused: return [Cause(description: "'\(view.join.name)' is paused", causes: [])]
        case .defining:
            return [Cause(description: "the closure of 'define' for '\(view.join.name)' hasn't returned", causes: [])]
        default: break
        }
        let guards = guards(of: call, in: view)
        return view.reactions.indices.filter { index in
            view.reactions[index].needs.contains { $0.molecule == place.molecule }
        }.map { index in
            var reaction = view.reactions[index]
            if let guards, index < guards.count { reaction.guards = guards[index] }
            return lack(of: reaction, in: place.view, except: place.molecule, &way)
        }
    }

    /// Why a reaction doesn't start. What it would make was taken last for `client`, as events keep it, if that is
    /// known.
    func lack(
        of reaction: DefinitionView.Reaction,
        in index: Int,
        except own: Int?,
        for client: UInt64 = 0,
        _ way: inout Way
    ) -> Cause {
        let view = views[index]
        let missing = view.missing(reaction)
        if missing.isEmpty, reaction.guards.isEmpty {
            let limit = view.running > 0 ? ", but \(Self.bodies(view.running)) of '\(view.join.name)' run" : ""
            return Cause(description: "\(reaction.text) is possible\(limit)", causes: [])
        }
        let names = missing.map { view.molecules[$0].name } + reaction.guards
        var causes: [Cause] = []
        for molecule in missing {
            let place = Place(view: index, molecule: molecule)
            causes += whyMissing(place, isSubject: molecule == own, for: client, &way)
        }
        causes += whyNoOthers(for: reaction, in: index, except: own, &way)
        return Cause(description: "\(reaction.text) lacks \(names.joined(separator: ", "))", causes: causes)
    }

    private static func bodies(_ count: Int) -> String { count == 1 ? "1 body" : "\(count) bodies" }
}

extension Join {
    @usableFromInline
    nonisolated func explainer() -> (WaitingCall) -> String {
        let explainer = Explainer(machine.definitions)
        return { call in
            guard let call = call as? Call else { return "" }
            var lines: [String] = []
            for cause in explainer.causes(of: call) { cause.add(to: &lines, depth: 1) }
            return "\n" + lines.joined(separator: "\n")
        }
    }
}

extension ChemicalMachine {
    /// The calls that reactions have taken and not answered, and which: two lines for each. Known only if the machine
    /// records.
    package var takenCalls: [String] {
        definitions.filter { $0.observation != nil }.map { DefinitionView($0) }.flatMap { view in
            view.taken.flatMap { call, reaction in
                let taker = view.reactions[reaction]
                let description = taker.description
                let end = taker.running > 0 ? "its body runs" : "nobody has answered its reply"
                return [
                    "\(call.slot.fullName) waits, called at \(call.location)",
                    "  \(description.text) (\(description.location)) has taken it, and \(end)",
                ]
            }
        }
    }
}
