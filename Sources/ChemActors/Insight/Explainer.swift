import ChemBase

/// Finds out why calls wait: who could make what they lack, what these lack, and so on.
struct Explainer {
    /// A molecule of one of the definitions.
    private struct Place: Hashable {
        let view: Int
        let molecule: Int
    }

    private typealias Cause = StuckReport.Cause

    private let views: [DefinitionView]
    private let places: [ObjectIdentifier: Place]
    /// The reactions that have taken calls and not answered them yet.
    private let takers: [ObjectIdentifier: (view: Int, reaction: Int)]
    /// For each molecule the reactions that are known to make it.
    private var makers: [Place: [(view: Int, reaction: Int, isCall: Bool)]] = [:]

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
        for call in views.flatMap({ view in view.molecules.flatMap(\.calls) + view.taken.map(\.call) }) {
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

    private func causes(of call: Call, _ way: inout Way) -> [Cause] {
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
            return [Cause(description: "\(subject), and its body has ended: somebody has the reply", causes: [])]
        }
        return [whatBodiesDo(bodies, "\(subject): its body", &way)]
    }

    /// What has been looked at on the way to a cause.
    private struct Way {
        /// What is being explained now: who comes to it again has found a cycle.
        var current: [Place] = []
        /// The molecules whose calls are being explained.
        var places: [Place] = []
        /// The calls that were taken and are being explained now.
        var calls: [Call] = []
        /// What has been explained. Nobody reads it twice.
        var done: Set<Place> = []
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
    private func lack(
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
        return Cause(description: "\(reaction.text) lacks \(names.joined(separator: ", "))", causes: causes)
    }

    private static func bodies(_ count: Int) -> String { count == 1 ? "1 body" : "\(count) bodies" }

    /// Why there is none of a molecule. What is made from it was taken last for `client`.
    private func whyMissing(_ place: Place, isSubject: Bool, for client: UInt64, _ way: inout Way) -> [Cause] {
        let view = views[place.view]
        let molecule = view.molecules[place.molecule]
        let name = "'\(molecule.name)'"
        if way.current.contains(place), !isSubject {
            return [Cause(description: "\(name) is what is waited for above: this is a cycle", causes: [])]
        }
        guard way.done.insert(place).inserted else {
            return [Cause(description: "\(name): see above", causes: [])]
        }
        way.current.append(place)
        defer { way.current.removeLast() }
        if molecule.isState { return whyHeld(place, &way) }

        // A reaction that itself needs what it makes keeps it, and isn't where it comes from.
        let makers = self.makers[place] ?? []
        var keepers: [DefinitionView.Reaction] = []
        var causes: [Cause] = []
        var waitForSame: [Cause] = []
        // If the last copy was taken for a body, it's most probably up to that one to make another, or what another is
        // made from.
        let client = molecule.lastClient != 0 ? molecule.lastClient : client
        for maker in makers {
            let reaction = views[maker.view].reactions[maker.reaction]
            let isKeeper = maker.view == place.view && reaction.needs.contains { $0.molecule == place.molecule }
            var bodies = views[maker.view].bodies.filter { $0.reaction === reaction.description }
            if let client = bodies.first(where: { $0.start == client }) { bodies = [client] }
            let isBusy = reaction.running > 0 || !bodies.isEmpty
            if isKeeper { keepers.append(reaction) }
            if isKeeper, !isBusy { continue }
            let cause = why(reaction, in: maker.view, bodies, name, for: client, &way)
            // Who waits for the same as the caller won't help it, unless nobody else does.
            let calls = bodies.compactMap(\.call)
            if !calls.isEmpty, calls.allSatisfy({ places[ObjectIdentifier($0.slot)] == way.places.last }) {
                waitForSame.append(cause)
            } else {
                causes.append(cause)
            }
        }
        if causes.isEmpty { causes = waitForSame }
        let alive = Set(
            makers.map { views[$0.view].reactions[$0.reaction].description.location.description }
        )
        for source in molecule.sources where !alive.contains(source.location) {
            causes.append(
                Cause(
                    description:
                        "\(source.reaction) (\(source.location)) has injected \(name), and its definition "
                        + "'\(source.definition)' is gone",
                    causes: []
                )
            )
        }
        if causes.isEmpty, let taker = molecule.lastTaker, taker < view.reactions.count,
            view.reactions[taker].running == 0, makers.count == keepers.count
        {
            causes.append(
                Cause(
                    description:
                        "\(view.reactions[taker].text) has taken the last \(name), and its body has ended without "
                        + "another one",
                    causes: []
                )
            )
        }
        return causes + whoIsOutside(place, hasMakers: !causes.isEmpty, keepers)
    }

    /// Whether code that belongs to no reaction may still inject a molecule.
    private func whoIsOutside(
        _ place: Place,
        hasMakers: Bool,
        _ keepers: [DefinitionView.Reaction]
    ) -> [Cause] {
        let view = views[place.view]
        let molecule = view.molecules[place.molecule]
        let verb = molecule.slot.kind == .fast ? "called" : "injected"
        let what = "'\(molecule.name)' (\(molecule.slot.location))"
        if !view.isHeld, view.running == 0 {
            return [
                Cause(
                    description: "nobody has a name of '\(view.join.name)' who could still have \(verb) \(what)",
                    causes: []
                )
            ]
        }
        guard view.isObserved else {
            return hasMakers ? [] : [Cause(description: "it is up to whoever has the name \(what)", causes: [])]
        }
        if molecule.slot.hasBeenInjected(by: .others), molecule.sources.isEmpty {
            return [Cause(description: "code outside of any reaction has \(verb) \(what) so far", causes: [])]
        }
        if hasMakers { return [] }
        if molecule.injected > 0 {
            return [
                Cause(
                    description: "'\(view.join.name)' has \(verb) \(what) in its beginning, and nobody has since",
                    causes: []
                )
            ]
        }
        let others =
            keepers.isEmpty
            ? "" : ", and those who make it need one: \(keepers.map(\.text).joined(separator: ", "))"
        return [Cause(description: "nobody has \(verb) \(what) so far\(others)", causes: [])]
    }

    /// Why a reaction that makes a molecule doesn't.
    private func why(
        _ reaction: DefinitionView.Reaction,
        in index: Int,
        _ bodies: [DefinitionView.Body],
        _ name: String,
        for client: UInt64,
        _ way: inout Way
    ) -> Cause {
        let view = views[index]
        let makes = "\(reaction.text) makes \(name)"
        if reaction.running > 0 || !bodies.isEmpty { return whatBodiesDo(bodies, "\(makes): its body", &way) }
        let lack = lack(of: reaction, in: index, except: nil, for: client, &way)
        if lack.causes.isEmpty, view.isPossible(reaction) {
            return view.phase == .paused
                ? Cause(description: "\(makes): it is possible, but '\(view.join.name)' is paused", causes: [])
                : Cause(description: "\(makes): it is possible", causes: [])
        }
        let missing = view.missing(reaction).map { view.molecules[$0].name } + reaction.guards
        return Cause(description: "\(makes), and lacks \(missing.joined(separator: ", "))", causes: lack.causes)
    }

    /// Who has a state.
    private func whyHeld(_ place: Place, _ way: inout Way) -> [Cause] {
        let view = views[place.view]
        let name = "'\(view.molecules[place.molecule].name)'"
        let holders = view.reactions.filter { $0.updated.contains(place.molecule) }
        // One body has it. If it isn't known whose, it is one of those that run.
        let bodies = view.bodies.filter { body in
            body.reaction.updatedStates.contains { Int($0.number) == place.molecule }
        }
        if let body = bodies.first, bodies.count == 1 || body.call != nil {
            let text = "\(body.reaction.text) (\(body.reaction.location))"
            return [whatBodiesDo([body], "\(text) has \(name): its body", &way)]
        }
        if let holder = holders.first(where: { $0.running > 0 }) ?? (holders.count == 1 ? holders.first : nil) {
            let verb = view.running > 0 || !view.isObserved ? "runs" : "has ended"
            if view.retries > 0 {
                return [
                    Cause(
                        description: "\(holder.text) has \(name): its body has failed and will be tried again",
                        causes: []
                    )
                ]
            }
            return [Cause(description: "\(holder.text) has \(name): its body \(verb)", causes: [])]
        }
        let names = holders.map(\.text).joined(separator: ", ")
        return [Cause(description: "a body has \(name): one of \(names)", causes: [])]
    }

    /// What the bodies of a reaction wait for.
    private func whatBodiesDo(_ bodies: [DefinitionView.Body], _ subject: String, _ way: inout Way) -> Cause {
        let calls = bodies.compactMap(\.call)
        guard let call = calls.first else { return Cause(description: "\(subject) runs", causes: []) }
        let sentence = "\(subject) waits in \(call.slot.fullName), called at \(call.location)"
        guard let place = places[ObjectIdentifier(call.slot)] else {
            return Cause(description: "\(sentence), on another machine", causes: [])
        }
        // A call that was taken waits for a body, and not for what its molecule lacks.
        let isTaken = takers[ObjectIdentifier(call)] != nil
        if isTaken ? way.calls.contains(where: { $0 === call }) : way.current.contains(place) {
            return Cause(description: "\(sentence), which is waited for above: this is a cycle", causes: [])
        }
        return Cause(description: sentence, call: ObjectIdentifier(call), causes: causes(of: call, &way))
    }
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
