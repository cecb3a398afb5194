// Who may have the reply of a call that was taken, when the body that took it has ended.

extension Explainer {
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
                ?? [Cause(description: "who may have a reply of \(name(of: index, &way)): see above", causes: [])]
        }
        if !bodies.isEmpty {
            var causes = bodies.prefix(Self.mostBodies).map { whatItDoes($0, in: index, &way) }
            if causes.count < bodies.count {
                let rest = Self.bodies(bodies.count - causes.count)
                causes.append(Cause(description: "… and \(rest) more of \(name(of: index, &way))", causes: []))
            }
            return causes
        }
        if view.running > 0 {
            return view.reactions.filter { $0.running > 0 }.map { reaction in
                Cause(
                    description: "\(text(of: reaction.description, in: index, &way)) of \(name(of: index, &way)) runs",
                    causes: []
                )
            }
        }
        return view.reactions.filter { reaction in
            !view.isPossible(reaction)
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
