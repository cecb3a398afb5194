// Why there is none of a molecule: who makes it, who has it, and what these wait for.

extension Explainer {
    /// Why there is none of a molecule. What is made from it was taken last for `client`.
    func whyMissing(_ place: Place, isSubject: Bool, for client: UInt64, _ way: inout Way) -> [Cause] {
        let view = views[place.view]
        let molecule = view.molecules[place.molecule]
        let name = "'\(molecule.name)'"
        if way.current.contains(place), !isSubject {
            return [Cause("\(name) is what is waited for above: this is a cycle")]
        }
        guard way.goesOn else { return [Cause("… and so on")] }
        guard way.done.insert(place).inserted else {
            return [Cause("\(name): see above")]
        }
        way.current.append(place)
        defer { way.current.removeLast() }
        if molecule.isState { return whyHeld(place, &way) }

        // If the last copy was taken for a body, it's most probably up to that one to make another, or what another is
        // made from.
        let client = molecule.lastClient != 0 ? molecule.lastClient : client
        let makers = makers(of: place)
        var (causes, keepers) = whyNotMade(place, by: makers, name, for: client, &way)
        causes += whoIsGone(place, name)
        let isTracedToMaker = !causes.isEmpty || makers.count > keepers.count
        // Of a call in a task of its own it is told at least where it was made; bodies have been followed.
        if !isTracedToMaker || molecule.lastClient == 0 && molecule.lastCaller != nil,
            let taker = molecule.lastTaker, taker < view.reactions.count, view.reactions[taker].running == 0,
            !isSignal(molecule, of: view.reactions[taker], hasKeepers: !keepers.isEmpty)
        {
            causes.append(whoHasTheLast(place, view.reactions[taker], isUpToTaker: !isTracedToMaker, &way))
        } else if !isTracedToMaker, let taker = molecule.lastTaker, taker < view.reactions.count,
            !isSignal(molecule, of: view.reactions[taker], hasKeepers: !keepers.isEmpty)
        {
            causes.append(whoKeepsTheLast(place, view.reactions[taker], &way))
        }
        return causes + whoIsOutside(place, hasMakers: !causes.isEmpty, keepers, &way) + whatHasFailed(place, &way)
    }

    /// Whether a molecule only sets off a reaction, so that nobody expects its body to make another one: it comes from
    /// outside, and the reaction needs nothing besides but states.
    private func isSignal(
        _ molecule: DefinitionView.Molecule,
        of taker: DefinitionView.Reaction,
        hasKeepers: Bool
    ) -> Bool {
        !hasKeepers && taker.needs.count - taker.updated.count == 1 && molecule.slot.hasBeenInjected(by: .others)
            && !molecule.slot.hasBeenInjected(by: .itself)
    }

    /// What the bodies do of the reaction that has taken the last copy of a molecule. Nothing is known of what they
    /// will make: so far no body of theirs has ended.
    private func whoKeepsTheLast(_ place: Place, _ taker: DefinitionView.Reaction, _ way: inout Way) -> Cause {
        let view = views[place.view]
        let molecule = view.molecules[place.molecule]
        let text = text(of: taker.description, in: place.view, &way)
        let subject = "\(text) has taken \(Self.last(molecule)): its body"
        // If there are several copies, others may put theirs back.
        guard molecule.isSingle else { return Cause("\(subject) runs") }
        return whatBodiesDo(bodies[ObjectIdentifier(taker.description)] ?? [], subject, &way)
    }

    /// Who has taken the last copy of a molecule, which nobody has put back, and what the caller does for whom it was
    /// taken.
    private func whoHasTheLast(
        _ place: Place,
        _ taker: DefinitionView.Reaction,
        isUpToTaker: Bool,
        _ way: inout Way
    ) -> Cause {
        let molecule = views[place.view].molecules[place.molecule]
        let text = text(of: taker.description, in: place.view, &way)
        let subject = "\(text) has taken \(Self.last(molecule))"
        guard let caller = molecule.lastCaller else {
            let verb = taker.failures.count > 0 ? "ended or failed" : "ended"
            return Cause("\(subject), and its body has \(verb) without another one")
        }
        let sentence = "\(subject) for the call at \(caller.location)"
        // Others may have taken copies, too, and may put theirs back. Another task may have got the address of one that
        // has ended. Then the line is right still.
        guard isUpToTaker, molecule.isSingle, caller.task != 0, let call = callsOfTasks[caller.task] else {
            return Cause("\(sentence), and nobody has made another one since")
        }
        return whatCallDoes(call, "\(sentence), whose task", &way)
    }

    /// The reactions of the definition that have failed and might have made a molecule otherwise. The errors of those
    /// that answer are meant for callers, unless a copy may have been lost with them.
    func whatHasFailed(_ place: Place, _ way: inout Way) -> [Cause] {
        let view = views[place.view]
        let failed = view.reactions.filter { reaction in
            reaction.failures.count > 0 && !way.failed.contains(ObjectIdentifier(reaction.description))
                && (reaction.answered == nil || reaction.needs.contains { $0.molecule == place.molecule })
        }
        return failed.map { reaction in
            way.failed.insert(ObjectIdentifier(reaction.description))
            let again = view.retries > 0 ? Self.retry : ""
            let text = text(of: reaction.description, in: place.view, &way)
            return Cause("\(text) has failed \(Self.failures(reaction))\(again)")
        }
    }

    /// How often a reaction has failed, and how.
    static func failures(_ reaction: DefinitionView.Reaction) -> String {
        let times = reaction.failures.count == 1 ? "once" : "\(reaction.failures.count) times"
        return "\(times), the last time with \(reaction.failures.last)"
    }

    static let retry = "; one that has failed will be tried again"

    /// What was taken of a molecule.
    private static func last(_ molecule: DefinitionView.Molecule) -> String {
        molecule.present == 0 ? "the last '\(molecule.name)'" : "a '\(molecule.name)'"
    }

    /// Why those reactions don't make a molecule that are known to make it, and which of them themselves need one:
    /// these keep it, and aren't where it comes from.
    func whyNotMade(
        _ place: Place,
        by makers: [(view: Int, reaction: Int)],
        _ name: String,
        for client: UInt64,
        _ way: inout Way
    ) -> (causes: [Cause], keepers: [DefinitionView.Reaction]) {
        var keepers: [DefinitionView.Reaction] = []
        var candidates: [Candidate] = []
        for maker in makers {
            let reaction = views[maker.view].reactions[maker.reaction]
            let isKeeper = maker.view == place.view && reaction.needs.contains { $0.molecule == place.molecule }
            var bodies = bodies[ObjectIdentifier(reaction.description)] ?? []
            let ofClient = bodies.first { $0.start == client }
            if let ofClient { bodies = [ofClient] }
            let isBusy = reaction.running > 0 || !bodies.isEmpty
            if isKeeper { keepers.append(reaction) }
            if isKeeper, !isBusy { continue }
            let calls = bodies.lazy.compactMap(\.call)
            let waitsForSame = !calls.isEmpty && calls.allSatisfy { places[$0.slot.identity] == way.places.last }
            let promise: Candidate.Promise =
                waitsForSame ? .waitsForSame : ofClient != nil ? .ofClient : isBusy ? .busy : .idle
            candidates.append(Candidate(view: maker.view, reaction: reaction, bodies: bodies, promise: promise))
        }
        // Who waits for the same as the caller won't help it, unless nobody else does.
        let others = candidates.filter { $0.promise != .waitsForSame }
        if !others.isEmpty { candidates = others }
        var causes = Candidate.mostPromising(candidates).map { candidate in
            why(candidate.reaction, in: candidate.view, candidate.bodies, name, for: client, &way)
        }
        if causes.count < candidates.count {
            causes.append(Cause("… and \(candidates.count - causes.count) more that make \(name)"))
        }
        return (causes, keepers)
    }

    /// A reaction that might make what is missing.
    private struct Candidate {
        /// What there is to be hoped for, the most first.
        enum Promise: Int { case ofClient, busy, idle, waitsForSame }

        let view: Int
        let reaction: DefinitionView.Reaction
        let bodies: [DefinitionView.Body]
        let promise: Promise

        /// Of how many it is told. Where thousands of definitions make the same, nobody reads of all of them, and it
        /// would be told of them again for each call that waits.
        static let most = 16

        /// All of them, in their order, unless there are too many.
        static func mostPromising(_ all: [Candidate]) -> [Candidate] {
            if all.count <= most { return all }
            let byPromise = Dictionary(grouping: all, by: \.promise)
            let inTurn = [Promise.ofClient, .busy, .idle, .waitsForSame].flatMap { byPromise[$0] ?? [] }
            return Array(inTurn.prefix(most))
        }
    }

    /// The reactions that are known to make a molecule: those that remember it, and those that it remembers. They
    /// remember a few of the definitions that look the same.
    func makers(of place: Place) -> [(view: Int, reaction: Int)] {
        var result = makers[place] ?? []
        result += sources(of: place, besides: result).compactMap { maker($0) }
        return result
    }

    /// Who has injected a molecule, besides these.
    private func sources(of place: Place, besides known: [(view: Int, reaction: Int)]) -> [Observation.Source] {
        let sources = views[place.view].molecules[place.molecule].sources
        if sources.isEmpty { return [] }
        let lines = Set(known.map { views[$0.view].reactions[$0.reaction].description.location.description })
        return sources.filter { source in source.reaction.map { !lines.contains($0.location) } ?? true }
    }

    /// The reaction, if its definition lives.
    private func maker(_ source: Observation.Source) -> (view: Int, reaction: Int)? {
        guard let location = source.reaction?.location,
            let view = viewsByNumber[source.number],
            let reaction = views[view].reactions.firstIndex(where: { $0.description.location.description == location })
        else { return nil }
        return (view, reaction)
    }

    /// Those who have injected a molecule, and aren't among its makers: their definitions are gone, or it isn't known
    /// which of their reactions it was.
    private func whoIsGone(_ place: Place, _ name: String) -> [Cause] {
        sources(of: place, besides: makers(of: place)).map { source in
            guard let reaction = source.reaction else {
                let body = "a body of '\(source.definition)' that wasn't followed"
                return Cause("\(body) has injected \(name)")
            }
            let text = "\(reaction.text) (\(reaction.location)) has injected \(name)"
            return Cause("\(text), and its definition '\(source.definition)' is gone")
        }
    }

    /// Whether code that belongs to no reaction may still inject a molecule.
    func whoIsOutside(
        _ place: Place,
        hasMakers: Bool,
        _ keepers: [DefinitionView.Reaction],
        _ way: inout Way
    ) -> [Cause] {
        let view = views[place.view]
        let molecule = view.molecules[place.molecule]
        let verb = molecule.slot.kind == .fast ? "called" : "injected"
        let what = "'\(molecule.name)' (\(molecule.slot.location))"
        guard view.isObserved else {
            return hasMakers ? [] : [Cause("it is up to whoever has the name \(what)")]
        }
        // Where the definition itself is the only other source, it comes from outside, too.
        let others = sources(of: place, besides: (makers[place] ?? []).filter { $0.view == place.view })
        if molecule.slot.hasBeenInjected(by: .others), others.isEmpty {
            return [Cause("code outside of any reaction has \(verb) \(what) so far")]
        }
        if hasMakers { return [] }
        if molecule.injected > 0 {
            let who = name(of: place.view, &way) + (view.hasOverlooked ? " or a body of it" : "")
            let when = view.hasOverlooked ? "so far" : "at its beginning, and nobody has since"
            return [Cause("\(who) has \(verb) \(what) \(when)")]
        }
        let end =
            keepers.isEmpty
            ? "" : ", and those who make it need one: \(keepers.map(\.text).joined(separator: ", "))"
        return [Cause("nobody has \(verb) \(what) so far\(end)")]
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
        let makes = "\(text(of: reaction.description, in: index, &way)) makes \(name)"
        if reaction.running > 0 || !bodies.isEmpty { return whatBodiesDo(bodies, "\(makes): its body", &way) }
        let lack = lack(of: reaction, in: index, except: nil, for: client, &way)
        if lack.causes.isEmpty, view.isPossible(reaction) {
            return Cause("\(makes): it \(isPossible(in: index, &way))")
        }
        let missing = view.missing(reaction).map { view.molecules[$0].name } + reaction.guards
        return Cause("\(makes), and lacks \(missing.joined(separator: ", "))", lack.causes)
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
            let text = text(of: body.reaction, in: place.view, &way)
            return [whatBodiesDo([body], "\(text) has \(name): its body", &way)]
        }
        if let holder = holders.first(where: { $0.running > 0 }) ?? (holders.count == 1 ? holders.first : nil) {
            let verb = view.running > 0 || !view.isObserved ? "runs" : "has ended"
            let text = text(of: holder.description, in: place.view, &way)
            if view.retries > 0, holder.running == 0 {
                return [
                    Cause("\(text) has \(name): its body has failed and will be tried again")
                ]
            }
            return [Cause("\(text) has \(name): its body \(verb)")]
        }
        let names = holders.map(\.text).joined(separator: ", ")
        return [Cause("a body has \(name): one of \(names)")]
    }

    /// What the bodies of a reaction wait for.
    func whatBodiesDo(_ bodies: [DefinitionView.Body], _ subject: String, _ way: inout Way) -> Cause {
        let calls = bodies.compactMap(\.call)
        guard let call = calls.first else { return Cause("\(subject) runs") }
        return whatCallDoes(call, calls.count < bodies.count ? "\(subject) runs; another one" : subject, &way)
    }

    /// What the call lacks in which somebody waits.
    private func whatCallDoes(_ call: Call, _ subject: String, _ way: inout Way) -> Cause {
        let sentence = "\(subject) waits in \(fullName(of: call, &way)), called at \(call.location)"
        guard let place = places[call.slot.identity] else {
            return Cause("\(sentence), on another machine")
        }
        if !hasSeen(call) {
            // Without a recorder it isn't known which calls were taken.
            let what = views[place.view].isObserved ? "has just begun or ended" : "a reaction has taken"
            return Cause("\(sentence), which \(what)")
        }
        // A call that was taken waits for a body, and not for what its molecule lacks.
        let isTaken = takers[ObjectIdentifier(call)] != nil
        if isTaken ? way.calls.contains(where: { $0 === call }) : way.current.contains(place) {
            return Cause("\(sentence), which is waited for above: this is a cycle")
        }
        return Cause(sentence, call: ObjectIdentifier(call), causes(of: call, &way))
    }
}
