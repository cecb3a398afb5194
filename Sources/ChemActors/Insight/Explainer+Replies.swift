// What has become of a call that was taken: what the body does that has it or, if that has ended, who may have the
// reply.

extension Explainer {
    /// What the reaction does that has taken a call with this start.
    func whatTakerDoes(_ index: Int, _ number: Int, _ start: UInt64, _ way: inout Way) -> Cause {
        let view = views[index]
        let reaction = view.reactions[number]
        let subject = "\(text(of: reaction.description, in: index, &way)) has taken it"
        let suspended = view.bodies.filter { $0.reaction === reaction.description }
        if let body = suspended.first(where: { $0.start == start }) {
            return whatBodiesDo([body], "\(subject): its body", &way)
        }
        if reaction.running > suspended.count { return Cause("\(subject): its body runs") }
        if reaction.failures.count > 0 {
            if view.retries > 0 {
                let failures = Self.failures(reaction)
                return Cause("\(subject): its body has failed \(failures)\(Self.retry)")
            }
            // It was tried again, as another start.
            if !suspended.isEmpty { return whatBodiesDo(suspended, "\(subject): its body", &way) }
        }
        if reaction.answered != nil {
            return Cause("\(subject), and its body has just ended")
        }
        return Cause(
            "\(subject), and its body has ended: somebody has the reply",
            whoMayHave(theReplyOf: index, &way)
        )
    }

    /// Of how many bodies it is told what they wait for, if any of them may have a reply.
    private static let mostBodies = 16

    /// Who most probably has the reply of a call of this definition: bodies of the definition that run, or a copy that
    /// waits for other inputs.
    func whoMayHave(theReplyOf index: Int, _ way: inout Way) -> [Cause] {
        let view = views[index]
        let bodies = view.bodies.filter { $0.call != nil }
        guard way.holders.insert(index).inserted else {
            // Of those that are told of above, the one that leads here closes a cycle.
            let cycle = bodies.first { body in way.calls.contains { $0 === body.call } }
            return cycle.map { [whatItDoes($0, in: index, &way)] }
                ?? [Cause("who may have a reply of \(name(of: index, &way)): see above")]
        }
        if !bodies.isEmpty {
            var causes = bodies.prefix(Self.mostBodies).map { whatItDoes($0, in: index, &way) }
            if causes.count < bodies.count {
                let rest = Self.bodies(bodies.count - causes.count)
                causes.append(Cause("… and \(rest) more of \(name(of: index, &way))"))
            }
            return causes
        }
        if view.running > 0 {
            return view.reactions.filter { $0.running > 0 }.map { reaction in
                Cause("\(text(of: reaction.description, in: index, &way)) of \(name(of: index, &way)) runs")
            }
        }
        return view.reactions.filter { reaction in
            (view.phase == .paused || !view.isPossible(reaction))
                && reaction.needs.contains {
                    view.molecules[$0.molecule].slot.mayCarryReplies && view.molecules[$0.molecule].present > 0
                }
        }.map { lack(of: $0, in: index, except: nil, &way) }
    }

    private func whatItDoes(_ body: DefinitionView.Body, in index: Int, _ way: inout Way) -> Cause {
        let text = "\(body.reaction.text) (\(body.reaction.location)) of \(name(of: index, &way))"
        return whatBodiesDo([body], "\(text) runs: its body", &way)
    }
}
