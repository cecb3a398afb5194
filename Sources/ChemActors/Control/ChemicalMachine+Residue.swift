extension ChemicalMachine {
    /// What is left now.
    ///
    /// - Complexity: O(molecules of all definitions + waiting calls).
    package var residue: Residue {
        var residue = Residue()
        for join in definitions {
            let entry = join.soup.enter()
            entry.absorb()
            join.add(to: &residue, entry)
            entry.leaveUnchanged()
        }
        return residue
    }

    /// The definitions that haven't dissolved, each with where it was made.
    package var undissolved: [String] { definitions.map { "\($0.name) (\($0.location))" } }
}

extension Join {
    /// Adds what is left here. The inbox has to be empty.
    nonisolated func add(to residue: inout Residue, _ entry: borrowing SoupEntry) {
        var left: [Slot] = []
        for slot in entry.contents.slots where slot.kind != .gate {
            let present = slot.present(entry)
            let isBalanced = slot.isBalanced(present)
            if isBalanced, present == 0 { continue }
            var fullName: String { "\(name).\(slot.name)" }
            if !isBalanced { residue.unbalanced.append("the numbers of \(fullName) don't add up") }
            guard present > 0 else { continue }
            if let calls = slot.waitingCalls(entry) {
                for case let call as Call in calls.all where !call.isTimed {
                    residue.calls.append("\(fullName) waits, called at \(call.location)")
                    left.append(slot)
                }
            } else if slot.isInjectedOnly(by: .others) {
                let are = present == 1 ? "is" : "are"
                residue.molecules.append("\(present) of \(fullName) \(are) left, which nobody has consumed")
                left.append(slot)
            }
        }
        if left.isEmpty { return }
        let others = entry.contents.slots.filter { slot in
            slot.kind == .slow && slot.present(entry) > 0 && !left.contains { $0 === slot }
        }
        if !others.isEmpty {
            let texts = others.map { "\($0.name) × \($0.present(entry))" }
            residue.lacks.append("  present: \(texts.joined(separator: ", "))")
        }
        for reaction in entry.state.chemistry.reactions
        where reaction.inputs.contains(where: { input in left.contains { $0 === input } }) {
            let missing = reaction.molecules.filter { $0.slot.present(entry) < $0.copies }.map(\.slot.name)
            if missing.isEmpty { continue }
            residue.lacks.append("  \(reaction.text) lacks \(missing.joined(separator: ", "))")
        }
    }
}

extension Slot {
    /// Whether all copies that came are there or have left. Called when the inbox is empty.
    fileprivate func isBalanced(_ present: Int) -> Bool {
        header.pointee.injected &+ tally.putBack
            == present &+ header.pointee.consumed &+ tally.dropped &+ tally.ignored &+ tally.withdrawn
    }
}
