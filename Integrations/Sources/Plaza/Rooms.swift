import ChemActors

// snippet.rooms
/// Rooms by name. One is made when somebody enters, and goes when nobody has been there for long.
struct Rooms: JoinDefinition {
    /// Answered with the room, or with nil if there are too many. Whoever has entered must leave.
    private let enter = FastMolecule<String, Room?>()
    private let leave = SlowMolecule<String>()
    private let places = StateMolecule([String: Place]())
    private let limits: Limits
    private let now: @Sendable () -> ContinuousClock.Instant

    init(_ limits: Limits, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.limits = limits
        self.now = now
    }

    func react(in join: inout Join.Builder) {
        join.answer(enter, updating: places) { [limits, now] places, name in
            var place = places[name]
            if place == nil {
                // Only here does the number of rooms grow, so only here must those go that nobody needs.
                let (time, longest) = (now(), limits.emptyRoom)
                places = places.filter { !$0.value.isEmpty(for: longest, at: time) }
                guard places.count < limits.rooms else { return nil }
                place = Place(room: Join.make(Room(keeping: limits.messagesInRoom)))
            }
            place?.visitors += 1
            places[name] = place
            return place?.room
        }
        join.when(leave, updating: places) { [now] places, name in
            places[name]?.visitors -= 1
            if places[name]?.visitors == 0 { places[name]?.emptySince = now() }
        }
    }

    /// Does something in a room, which can't go meanwhile. Returns nil if there are too many rooms.
    func visit<Answer>(_ name: String, _ body: (Room) async throws -> Answer) async throws -> Answer? {
        guard let room = try await enter(name) else { return nil }
        defer { leave(name) }
        return try await body(room)
    }
}
// snippet.end

private struct Place {
    /// What keeps the room alive when nobody is there.
    let room: Room
    var visitors = 0
    var emptySince: ContinuousClock.Instant?

    init(room: Room) { self.room = room }

    func isEmpty(for longest: Duration, at now: ContinuousClock.Instant) -> Bool {
        guard visitors == 0, let emptySince else { return false }
        return now - emptySince >= longest
    }
}
