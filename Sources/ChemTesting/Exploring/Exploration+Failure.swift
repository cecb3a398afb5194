extension Exploration {
    /// Why a run failed.
    enum Failure {
        case threw(any Error)
        /// What is wrong by the test's own account.
        case issues([String])
        case stuck([String])
        /// In a lab, somebody waits and reactions are possible.
        case unperformed([String])
        /// It takes more than so many steps.
        case endless(limit: Int)
        /// A step waits for a lock that an interrupted one holds.
        case blocked
        case escaped
        case mishap(String)
        /// Somebody waits, or something is left that nobody consumes.
        case leftOver([String])
        /// Definitions that nothing should hold any more.
        case leaked([String])
        /// An exhaustive search can't go on, since the same choices have led elsewhere.
        case unrepeatable

        /// Whether it is an error that only says that an issue was recorded, such as that of a requirement.
        var isRecorded: Bool {
            if case .threw(let error) = self { "\(type(of: error))" == "ExpectationFailedError" } else { false }
        }

        /// Whether both are of one kind. Then one can stand for the other.
        func isLike(_ other: Failure) -> Bool {
            switch (self, other) {
            case (.threw(let one), .threw(let other)):
                type(of: one) == type(of: other) && Self.lasting(one) == Self.lasting(other)
            case (.issues(let texts), .issues(let others)):
                Self.place(of: texts[0]) == nil || others.contains { Self.place(of: $0) == Self.place(of: texts[0]) }
            case (.stuck, .stuck), (.endless, .endless), (.blocked, .blocked), (.escaped, .escaped),
                (.unrepeatable, .unrepeatable), (.mishap, .mishap), (.leftOver, .leftOver), (.leaked, .leaked):
                true
            default: false
            }
        }

        /// Where an issue was recorded, if its text says so, as that of `mute` does at its end.
        private static func place(of issue: String) -> Substring? {
            guard let text = issue.split(separator: "\n").first, text.hasSuffix(")") else { return nil }
            return text.lastIndex(of: "(").map { text[$0...] }
        }

        /// What an error says that would be the same in another run: no identifiers made by chance, no addresses.
        private static func lasting(_ error: any Error) -> String {
            let uuid = /[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/
            return String(describing: error).replacing(uuid, with: "").replacing(/0x[0-9a-f]+/, with: "")
        }
    }
}
