/// Why a call waits in the soup, as far as that is known without a recorder. Under the lock, it notes only what
/// changes.
struct ReasonsToWait {
    /// A reaction, and what it lacks.
    private struct Lack {
        let reaction: ReactionDescription
        let slots: [Slot]
        private let gates: [() -> String]

        init(_ reaction: ReactionDescription, _ entry: borrowing SoupEntry, ofGate: (Gate) -> (() -> String)?) {
            self.reaction = reaction
            slots = reaction.molecules.filter { $0.slot.present(entry) < $0.copies }.map(\.slot)
            gates = reaction.gates.compactMap(ofGate)
        }

        /// Whether it lacks more than calls. What lies ready for whoever may call, such as a permit, waits for nothing.
        var isMoreThanCalls: Bool { !gates.isEmpty || slots.contains { $0.kind != .fast } }

        /// Asked for outside of the soup.
        var sentence: String {
            let names = slots.map(\.name) + gates.map { $0() }
            return "\(reaction.text) (\(reaction.location)) "
                + (names.isEmpty ? "is possible" : "lacks \(names.joined(separator: ", "))")
        }
    }

    /// Of the reactions that could take the call.
    private let lacks: [Lack]
    private let missing: [Slot]
    private let neverInjected: [Slot]
    /// The reactions that have failed and consumed something that is missing.
    private let losers: [(reaction: ReactionDescription, losses: (count: Int, last: any Error.Type))]
    /// Of other reactions, for each what it has got and what it lacks.
    private let others: [(present: [(name: String, count: Int)], lack: Lack)]
    /// The reaction of the same definition whose body waits in the call, if that is known.
    private let caller: ReactionDescription?
    private let life: Lifecycle
    private let isReachable: Bool
    private let hasInner: Bool

    init(_ call: Call, in caller: ReactionDescription?, _ entry: borrowing SoupEntry) {
        let (slot, reactions) = (call.slot, entry.state.chemistry.reactions)
        lacks = slot.header.pointee.uses.map { use in
            Lack(reactions[Int(use.reaction)], entry) { slot.lack(of: $0, for: call, entry) }
        }
        var missing: [Slot] = []
        for slot in lacks.flatMap(\.slots) where !missing.contains(where: { $0 === slot }) { missing.append(slot) }
        self.missing = missing
        neverInjected = missing.filter { $0.kind == .slow && $0.header.pointee.injected == 0 }
        losers = reactions.compactMap { reaction in
            missing.contains { $0.kind == .slow && reaction.copies(of: $0) > 0 }
                ? reaction.losses(entry).map { (reaction, $0) } : nil
        }
        others = reactions.compactMap { reaction in
            if reaction.copies(of: slot) > 0 { return nil }
            let present = reaction.molecules.filter { $0.slot.kind != .state }
                .map { (name: $0.slot.name, count: $0.slot.present(entry)) }
                .filter { $0.count > 0 }
            if present.isEmpty { return nil }
            let lack = Lack(reaction, entry) { $0.lack(entry) }
            return lack.isMoreThanCalls ? (present, lack) : nil
        }
        self.caller = caller
        life = entry.contents.life
        hasInner = !entry.state.inner.isEmpty
        isReachable = entry.isReachable || hasInner
    }

    /// A sentence for each.
    var description: String {
        // What goes on may be all there is to know.
        let isBusy = life.running > 0 && life.phase != .paused
        var sentences = isBusy ? ["\(whoIsLeft), and \(whatMayCome)"] : []
        sentences += lacks.map(\.sentence)
        sentences += neverInjected.map { "nobody has injected \($0.name) (\($0.location)) so far" }
        sentences += losers.map { reaction, losses in
            let times = losses.count == 1 ? "once" : "\(losses.count) times, the last time"
            return "\(reaction.text) (\(reaction.location)) has failed \(times) with "
                + "\(losses.last), and has consumed what it had taken"
        }
        let own = caller.map { caller in missing.filter { slot in caller.inputs.contains { $0 === slot } } } ?? []
        if let caller, !own.isEmpty {
            sentences.append(
                "the call is made by the body of \(caller.text) (\(caller.location)), which has taken "
                    + "\(own.map(\.name).joined(separator: ", ")) itself"
            )
        }
        if !isBusy { sentences += whatElseWaits + [whoIsLeft] }
        return sentences.joined(separator: "; ")
    }

    /// What bodies that run may do about it.
    private var whatMayCome: String {
        let states = missing.filter { $0.kind == .state }.map(\.name)
        if states.isEmpty { return "may inject what is missing" }
        return "one of them has \(states.joined(separator: ", ")) until it ends: which one, and what it waits for, "
            + "explainStuck() says where a recorder is on (CHEMACTORS_RECORDER=flight)"
    }

    /// The first of the other reactions that have got something and lack the rest, since one of them may be who makes
    /// what the call lacks.
    private var whatElseWaits: [String] {
        let most = 3
        var sentences = others.prefix(most).map { present, lack in
            let names = present.map { $0.count == 1 ? $0.name : "\($0.name) × \($0.count)" }
            return "\(names.joined(separator: ", ")) wait\(names.count == 1 ? "s" : "") as well: \(lack.sentence)"
        }
        if others.count > most { sentences.append("and so it is with \(others.count - most) more reactions") }
        return sentences
    }

    /// Who could still inject something into the definition.
    private var whoIsLeft: String {
        if life.phase == .paused { return "the definition is paused" }
        if life.running == 1 { return "a body of the definition runs" }
        if life.running > 0 { return "\(life.running) bodies of the definition run" }
        if life.retries > 0 { return "a failed reaction of the definition will be tried again" }
        guard isReachable else { return "no body of the definition runs, and nobody holds its names" }
        let inside = hasInner ? [] : missing.filter { $0.kind == .slow && !$0.isKnownOutside }
        let names = inside.map(\.name).joined(separator: ", ")
        let who =
            switch inside.count {
            case 0: "it is up to whoever holds its names"
            case 1: "\(names) was never exported, so a reaction of the definition has to inject it"
            default: "\(names) were never exported, so reactions of the definition have to inject them"
            }
        return "no body of the definition runs: \(who) (CHEMACTORS_RECORDER=flight says which bodies have made it)"
    }
}
