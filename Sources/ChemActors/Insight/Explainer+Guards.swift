// Why there are no other values than those that guards refuse: who changes a state, and who makes more copies.

extension Explainer {
    /// Who could make other values of what is there, and doesn't, if guards of `reaction` refuse what there is.
    func whyNoOthers(
        for reaction: DefinitionView.Reaction,
        in index: Int,
        except own: Int?,
        _ way: inout Way
    ) -> [Cause] {
        guard !reaction.guards.isEmpty else { return [] }
        let view = views[index]
        let present = reaction.needs.map(\.molecule).filter { $0 != own && view.molecules[$0].present > 0 }
        let named = present.filter { isNamed(view.molecules[$0].name, in: reaction.guards) }
        var causes: [Cause] = []
        for molecule in named.isEmpty ? present : named {
            let place = Place(view: index, molecule: molecule)
            if way.current.contains(place) { continue }
            guard way.done.insert(place).inserted else {
                causes.append(Cause("'\(view.molecules[molecule].name)': see above"))
                continue
            }
            way.current.append(place)
            defer { way.current.removeLast() }
            causes +=
                view.molecules[molecule].isState
                ? whyUnchanged(place, by: reaction, &way) : whyNoMore(place, view.molecules[molecule], &way)
        }
        return causes
    }

    /// Whether a guard says that it wants another value of a molecule. Guards are sentences that begin with its name.
    private func isNamed(_ name: String, in guards: [String]) -> Bool {
        guards.lazy.flatMap { $0.split(separator: " and ") }.contains { text in
            text.hasPrefix(name) && text.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } != false
        }
    }

    /// Why the reactions don't change a state that could, besides the one that waits for it.
    private func whyUnchanged(
        _ state: Place,
        by waiting: DefinitionView.Reaction,
        _ way: inout Way
    ) -> [Cause] {
        let view = views[state.view]
        let name = "'\(view.molecules[state.molecule].name)'"
        let others = view.reactions.filter {
            $0.updated.contains(state.molecule) && $0.description !== waiting.description
        }
        if others.isEmpty { return [Cause("no other reaction changes \(name)")] }
        return others.map { reaction in
            let lack = lack(of: reaction, in: state.view, except: nil, &way)
            let missing = view.missing(reaction).map { view.molecules[$0].name } + reaction.guards
            let text = text(of: reaction.description, in: state.view, &way)
            return missing.isEmpty
                ? Cause(
                    "\(text) changes \(name), and \(isPossible(in: state.view, &way))",
                    lack.causes
                )
                : Cause(
                    "\(text) changes \(name), and lacks \(missing.joined(separator: ", "))",
                    lack.causes
                )
        }
    }

    /// Why nobody makes another copy of a molecule.
    private func whyNoMore(_ place: Place, _ molecule: DefinitionView.Molecule, _ way: inout Way) -> [Cause] {
        let client = molecule.lastClient
        let (causes, keepers) = whyNotMade(place, by: makers(of: place), "'\(molecule.name)'", for: client, &way)
        return causes + whoIsOutside(place, hasMakers: !causes.isEmpty, keepers, &way) + whatHasFailed(place, &way)
    }
}
