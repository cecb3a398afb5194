import ChemBase

/// Finds out why calls wait: who could make what they lack, what these lack, and so on.
struct Explainer {
    /// A molecule of one of the definitions.
    struct Place: Hashable {
        let view: Int
        let molecule: Int
    }

    typealias Cause = StuckReport.Cause

    let views: [DefinitionView]
    let places: [Slot.Identity: Place]
    /// The reactions that have taken calls and not answered them yet, and with which start.
    let takers: [ObjectIdentifier: (view: Int, reaction: Int, start: UInt64)]
    /// The asynchronous bodies that have begun, by their reactions.
    let bodies: [ObjectIdentifier: [DefinitionView.Body]]
    /// The definitions by the numbers that recorders know them by.
    let viewsByNumber: [UInt32: Int]
    /// The calls that wait, or were taken and aren't answered yet.
    private let calls: [Call]
    /// Which these are.
    private let seen: Set<ObjectIdentifier>
    /// The same by the tasks that made them.
    let callsOfTasks: [UInt: Call]
    /// For each molecule the reactions that are known to make it.
    private(set) var makers: [Place: [(view: Int, reaction: Int)]] = [:]

    init(_ definitions: [Join]) {
        // Oldest first.
        let views = definitions.reversed().map { DefinitionView($0) }
        self.views = views
        var places: [Slot.Identity: Place] = [:]
        for (index, view) in views.enumerated() {
            for molecule in view.molecules.indices {
                places[view.molecules[molecule].slot.identity] = Place(view: index, molecule: molecule)
            }
        }
        self.places = places
        var takers: [ObjectIdentifier: (view: Int, reaction: Int, start: UInt64)] = [:]
        for (index, view) in views.enumerated() {
            for taken in view.taken { takers[ObjectIdentifier(taken.call)] = (index, taken.reaction, taken.start) }
        }
        self.takers = takers
        bodies = Dictionary(grouping: views.flatMap(\.bodies)) { ObjectIdentifier($0.reaction) }
        let numbers = views.enumerated().compactMap { index, view in view.join.observation.map { ($0.number, index) } }
        viewsByNumber = Dictionary(numbers) { first, _ in first }
        calls = views.flatMap { view in view.molecules.flatMap(\.calls) + view.taken.map(\.call) }
        seen = Set(calls.lazy.map { ObjectIdentifier($0) })
        callsOfTasks = Dictionary(calls.map { ($0.task, $0) }) { $1 }
        for (index, view) in views.enumerated() {
            for (number, reaction) in view.reactions.enumerated() {
                for output in reaction.outputs {
                    if let place = places[output.slot] { makers[place, default: []].append((index, number)) }
                }
            }
        }
    }

    func report(after duration: Duration) -> StuckReport {
        var calls: [(call: Call, entered: ContinuousClock.Instant)] = []
        let reading = ClockReading()
        for call in self.calls {
            // What a reaction has taken at once has never begun to wait.
            let entered = reading.instant(at: call.entered)
            if entered.duration(to: reading.instant) >= duration { calls.append((call, entered)) }
        }
        calls.sort { $0.entered < $1.entered }
        var known = Known()
        // What explains one call may tell of others, which keep the numbers that they have there.
        var names: [ObjectIdentifier: String] = [:]
        return StuckReport(
            calls: calls.map { call, entered in
                let explanation = explanation(of: call, &known)
                names.merge(explanation.names) { earlier, _ in earlier }
                return StuckReport.Call(
                    molecule: call.slot.fullName,
                    definition: names[ObjectIdentifier(call)] ?? explanation.definition,
                    location: call.location.description,
                    entered: entered,
                    causes: explanation.causes,
                    identifier: ObjectIdentifier(call)
                )
            },
            lacksRecorder: views.contains { !$0.isObserved }
        )
    }

    /// Whether a call waited in its definition, or was taken there, when that was looked at. One that a body of another
    /// definition waits in needn't: the definitions are looked at one after the other.
    func hasSeen(_ call: Call) -> Bool { seen.contains(ObjectIdentifier(call)) }

    /// Why a call isn't answered.
    struct Explanation {
        let causes: [Cause]
        /// Which one it belongs to of several definitions that have one name and are told of.
        var definition: String?
        /// The same of the other calls that are told of.
        var names: [ObjectIdentifier: String] = [:]
    }

    /// What was found out for all calls of a molecule that wait.
    typealias Known = [ObjectIdentifier: Explanation]

    /// The same, found out once for all calls of which it is the same.
    func explanation(of call: Call, _ known: inout Known) -> Explanation {
        // What a guard sees of a call is that call's own.
        let isAlike = takers[ObjectIdentifier(call)] == nil && call.features == nil
        guard isAlike else { return explanation(of: call) }
        let slot = ObjectIdentifier(call.slot)
        if let explanation = known[slot] { return explanation }
        let explanation = explanation(of: call)
        known[slot] = explanation
        return explanation
    }

    /// Why a call isn't answered. If several definitions are told of that have one name, they are numbered, in the
    /// order in which they come.
    func explanation(of call: Call) -> Explanation {
        guard let index = places[call.slot.identity]?.view else { return Explanation(causes: []) }
        var way = Way()
        way.tells(of: index)
        let causes = causes(of: call, &way)
        let numbers = namesakes(way.told)
        if numbers.isEmpty { return Explanation(causes: causes) }
        way = Way(numbers: numbers)
        let isNumbered = way.number(of: index) != nil
        let definition = isNumbered ? name(of: index, &way) : nil
        return Explanation(causes: self.causes(of: call, &way), definition: definition, names: way.names)
    }

    /// The numbers of those definitions that have one name with others.
    private func namesakes(_ told: [Int]) -> [Int: Int] {
        let groups = Dictionary(grouping: told) { views[$0].join.name }.values.filter { $0.count > 1 }
        return Dictionary(groups.flatMap { zip($0, 1...) }) { $1 }
    }

    /// What a definition is called.
    func name(of index: Int, _ way: inout Way) -> String {
        "'\(views[index].join.name)'" + (way.number(of: index).map { " no. \($0)" } ?? "")
    }

    /// What a reaction is called.
    func text(of reaction: ReactionDescription, in index: Int, _ way: inout Way) -> String {
        let text = "\(reaction.text) (\(reaction.location))"
        return way.number(of: index) == nil ? text : "\(text) of \(name(of: index, &way))"
    }

    /// What a molecule is called for those who know nothing of its definition.
    func fullName(of call: Call, _ way: inout Way) -> String {
        guard let index = places[call.slot.identity]?.view, way.number(of: index) != nil else {
            return call.slot.fullName
        }
        let name = name(of: index, &way)
        way.names[ObjectIdentifier(call)] = name
        return "\(call.slot.fullName) of \(name)"
    }

    func causes(of call: Call, _ way: inout Way) -> [Cause] {
        guard let place = places[call.slot.identity] else { return [] }
        guard let taken = takers[ObjectIdentifier(call)] else {
            return causes(ofCallsAt: place, call, &way)
        }
        if way.calls.contains(where: { $0 === call }) {
            return [Cause("this call is waited for above: this is a cycle")]
        }
        guard way.goesOn else { return [Cause("… and so on")] }
        way.calls.append(call)
        defer { way.calls.removeLast() }
        return [whatTakerDoes(taken.view, taken.reaction, taken.start, &way)]
    }

    /// What has been looked at on the way to a cause.
    struct Way {
        /// What is being explained now: who comes to it again has found a cycle.
        var current: [Place] = []
        /// The molecules whose calls are being explained.
        var places: [Place] = []
        /// The calls that were taken and are being explained now.
        var calls: [Call] = []
        /// What has been explained. Nobody reads it twice.
        var done: Set<Place> = []
        /// The definitions of which it has been said who may have their replies.
        var holders: Set<Int> = []
        /// The reactions of which it has been said how they failed.
        var failed: Set<ObjectIdentifier> = []
        /// The definitions that are told of, in the order in which they come.
        private(set) var told: [Int] = []
        private var isTold: Set<Int> = []
        /// What the definitions of calls are called that are told of, if they have numbers.
        var names: [ObjectIdentifier: String] = [:]
        /// The numbers of those that have one name with others.
        let numbers: [Int: Int]

        /// How many calls and molecules are explained one by the other: nobody reads more of them, and each takes
        /// stack.
        private static let limit = 100

        /// Whether another one is to be explained.
        var goesOn: Bool { current.count + calls.count < Self.limit }

        init(numbers: [Int: Int] = [:]) {
            self.numbers = numbers
        }

        mutating func tells(of view: Int) {
            if isTold.insert(view).inserted { told.append(view) }
        }

        /// The number of a definition that is told of.
        mutating func number(of view: Int) -> Int? {
            tells(of: view)
            return numbers[view]
        }
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
        guard way.goesOn else { return [Cause("… and so on")] }
        let view = views[place.view]
        way.current.append(place)
        way.places.append(place)
        defer {
            way.current.removeLast()
            way.places.removeLast()
        }
        switch view.phase {
        case .paused: return [Cause("\(name(of: place.view, &way)) is paused")]
        case .defining:
            let name = name(of: place.view, &way)
            return [Cause("the closure of 'define' for \(name) hasn't returned")]
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
    func lack(
        of reaction: DefinitionView.Reaction,
        in index: Int,
        except own: Int?,
        for client: UInt64 = 0,
        _ way: inout Way
    ) -> Cause {
        let view = views[index]
        let missing = view.missing(reaction)
        let text = text(of: reaction.description, in: index, &way)
        if missing.isEmpty, reaction.guards.isEmpty {
            return Cause("\(text) \(isPossible(in: index, &way))")
        }
        let names = missing.map { view.molecules[$0].name } + reaction.guards
        var causes: [Cause] = []
        for molecule in missing {
            let place = Place(view: index, molecule: molecule)
            causes += whyMissing(place, isSubject: molecule == own, for: client, &way)
        }
        causes += whyNoOthers(for: reaction, in: index, except: own, &way)
        return Cause("\(text) lacks \(names.joined(separator: ", "))", causes)
    }

    /// What is said of a reaction that lacks nothing.
    func isPossible(in index: Int, _ way: inout Way) -> String {
        let view = views[index]
        if view.phase == .paused { return "is possible, but \(name(of: index, &way)) is paused" }
        if view.running == 0 { return "is possible" }
        return "is possible, but \(Self.bodies(view.running)) of \(name(of: index, &way)) run"
    }

    static func bodies(_ count: Int) -> String { count == 1 ? "1 body" : "\(count) bodies" }
}

extension Join {
    @usableFromInline
    nonisolated func explainer() -> (WaitingCall) -> String {
        let explainer = Explainer(machine.definitions)
        var known = Explainer.Known()
        return { call in
            guard let call = call as? Call else { return "" }
            var lines: [String] = []
            for cause in explainer.explanation(of: call, &known).causes { cause.add(to: &lines, depth: 1) }
            return "\n" + lines.joined(separator: "\n")
        }
    }
}
