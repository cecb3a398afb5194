import ChemBase

/// Which calls wait for what, and why that doesn't come: the answer to "where does my program hang?"
///
/// ```swift
/// print(machine.explainStuck())
/// ```
/// ```text
/// 1 call waits.
/// bank.withdraw, called at Shop.swift:31, for 2.1 seconds
///   withdraw & account (Bank.swift:12) lacks account
///     pay & account (Bank.swift:18) has 'account': its body waits in shop.ok, called at Bank.swift:20
///       ok & open (Shop.swift:9) lacks open
///         nobody has injected 'open' (Shop.swift:7) so far
/// ```
public struct StuckReport: Sendable, CustomStringConvertible {
    /// Why something doesn't happen.
    public struct Cause: Sendable {
        /// One sentence.
        public let description: String
        /// Why that is so. Empty at the root of the matter.
        public let causes: [Cause]
        /// The call that waits in it and is explained by `causes`.
        var call: ObjectIdentifier?

        init(_ description: String, call: ObjectIdentifier? = nil, _ causes: [Cause] = []) {
            self.description = description.onOneLine
            self.call = call
            self.causes = causes
        }

        /// The calls that are explained in it.
        fileprivate var calls: [ObjectIdentifier] { causes.reduce(call.map { [$0] } ?? []) { $0 + $1.calls } }
    }

    /// A call that waits.
    public struct Call: Sendable {
        /// The name of the definition and of the molecule, such as `bank.withdraw`.
        public let molecule: String
        /// Which one it belongs to of several definitions that have one name and are told of.
        let definition: String?
        /// Where it was called.
        public let location: String
        /// When it began to wait.
        public let entered: ContinuousClock.Instant
        /// Why nobody has answered it: one cause for each reaction that could.
        public let causes: [Cause]
        /// Tells it from others.
        let identifier: ObjectIdentifier

        /// What it is called where others are told of.
        package var name: String { (definition.map { "\(molecule) of \($0)" } ?? molecule).onOneLine }

        /// How long it has been waiting.
        public var duration: Duration { entered.duration(to: .now) }
    }

    /// The calls, longest wait first.
    public let calls: [Call]

    /// Whether definitions without a recorder were looked at. Who makes their molecules isn't known then.
    public let lacksRecorder: Bool

    /// Calls from one line that wait for the same reason.
    package struct Group {
        /// The one that has waited longest.
        package let call: Call
        /// How many they are.
        package fileprivate(set) var count = 1
        /// The call of an earlier group whose causes tell of this one too, such as another one in a cycle.
        package let explainedBy: Call?
    }

    /// The calls, those together that need be told of once only.
    package var groups: [Group] {
        var groups: [Group] = []
        var places: [[String]: Int] = [:]
        var explained: [ObjectIdentifier: Call] = [:]
        for call in calls {
            let earlier = explained[call.identifier]
            var key = [call.molecule, call.location]
            if let earlier {
                key.append(earlier.molecule)
            } else {
                for cause in call.causes { cause.add(to: &key, depth: 1) }
            }
            if let place = places[key] {
                groups[place].count += 1
            } else {
                places[key] = groups.count
                groups.append(Group(call: call, explainedBy: earlier))
                if earlier == nil {
                    for inner in call.causes.flatMap(\.calls) { explained[inner] = call }
                }
            }
        }
        return groups
    }

    /// A line for each call and each cause. Calls from one line that wait for the same reason are told of once, and so
    /// is a cycle.
    public var description: String {
        let place = calls.isEmpty && lacksRecorder ? " in a soup" : ""
        var lines = ["\(calls.isEmpty ? "No" : "\(calls.count)") call\(calls.count > 1 ? "s wait" : " waits")\(place)."]
        for group in groups {
            let (call, count) = (group.call, group.count)
            var causes: [String] = []
            if let other = group.explainedBy {
                causes = ["  see \(other.name), called at \(other.location), above"]
            } else {
                for cause in call.causes { cause.add(to: &causes, depth: 1) }
            }
            let times = count > 1 ? " \(count) times, the longest" : ""
            lines.append(
                "\(call.name), called at \(call.location)\(count > 1 ? "" : ",")\(times) for \(call.duration.spoken)"
            )
            lines += causes
        }
        if lacksRecorder {
            let what =
                calls.isEmpty
                ? "Calls that were taken and not answered, such as questions to mailbox actors, aren't"
                : "Who makes what, and which calls were taken and not answered, isn't"
            lines.append(
                "\(what) known where no recorder is on: set ChemicalMachine.Configuration.recorder, "
                    + "or CHEMACTORS_RECORDER=flight"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension StuckReport {
    /// A line for each call that waits and each cause, without how long: as a test can tell of it.
    package var lines: [String] {
        groups.flatMap { group in
            let (call, count) = (group.call, group.count)
            var lines = ["\(call.name) waits, called at \(call.location)\(count > 1 ? ", \(count) times" : "")"]
            if let other = group.explainedBy {
                lines.append("  see \(other.name), called at \(other.location), above")
            } else {
                for cause in call.causes { cause.add(to: &lines, depth: 1) }
            }
            return lines
        }
    }
}

extension StuckReport.Cause {
    func add(to lines: inout [String], depth: Int) {
        lines.append(String(repeating: "  ", count: depth) + description)
        for cause in causes { cause.add(to: &lines, depth: depth + 1) }
    }

    /// What is at the root of the matter: the sentences without further causes.
    public var roots: [String] { causes.isEmpty ? [description] : causes.flatMap(\.roots) }
}

extension ChemicalMachine {
    /// Says of each call that waits on this machine what it lacks, who could make that, what they lack, and so on, down
    /// to a body that runs, a molecule that nobody injects, or a cycle; with the lines of the program.
    ///
    /// Who makes a molecule is known from what has happened, if the machine has a ``EventRecorder``, from
    /// ``Reaction/produces(_:)``, and for states.
    ///
    /// A hundred calls and molecules are explained one by the other at most; then it says "and so on".
    ///
    /// For diagnosis. Each definition is held up for a moment only.
    ///
    /// - Parameter duration: Leaves out calls that have been waiting for less. Zero by default.
    /// - Returns: the calls with their causes.
    /// - Complexity: O(definitions + their molecules and reactions + n · m) for n calls and m reactions that have to do
    ///   with one.
    public func explainStuck(after duration: Duration = .zero) -> StuckReport {
        Explainer(definitions).report(after: duration)
    }
}
