/// A step of the soup that turns calls into copies, or answers them with what copies carry.
///
/// No closure of a user can run in a step. So it can't find out to which part a copy belongs, nor what guards see of
/// it, except of a call, whose caller has found that out.
struct Turn {
    let fast: Slot
    let location: SourceLocation
    /// What the calls become.
    var made: Slot?
    /// What the calls take, and what is put back if it carries nil.
    var taken: Slot?
    /// What it injects besides.
    var room: Slot?

    /// What is wrong with it, beside the others of its definition, as the rest of a sentence. Nil if nothing is.
    func flaw(among turns: [Turn]) -> String? {
        let text = "turns calls of '\(fast.name)' (\(location))"
        if let made {
            if made.hasParts {
                return "\(text) into '\(made.name)', which has parts, and nobody looks to which a call belongs: "
                    + "turn the calls of a part into each, as with 'join.part(\"part\", of: \(fast.name), where: …)'"
            }
            guard made.isLookedAtByGuards else { return nil }
            if fast.isLookedAtByGuards {
                return "\(text) into '\(made.name)', and guards look at both: a call comes with what one of them sees; "
                    + "take the guard off one of them, or inject '\(made.name)' in the body of an 'answer'"
            }
            if let other = turns.first(where: { $0.fast === fast && $0.made != nil && $0.made !== made })?.made {
                return "\(text) into '\(made.name)', at which a guard looks, and into '\(other.name)' as well: "
                    + "turn a part of the calls into each, as with 'join.part(\"part\", of: \(fast.name), where: …)'"
            }
        }
        if let taken, taken.isLookedAtByGuards {
            return "\(text) from '\(taken.name)', at which a guard looks: a copy that carries nil stays, and nobody "
                + "could look at it once more; take the copies in the body of an 'answer'"
        }
        if let room, room.hasParts || room.isLookedAtByGuards {
            return "\(text) and injects '\(room.name)', which has \(room.hasParts ? "parts" : "guards"), and nobody "
                + "looks at such a copy: inject it in the body of an 'answer'"
        }
        return nil
    }
}
