import ChemActors

/// What a philosopher begins to do.
struct Change: Sendable, Equatable {
    enum Activity: Int, Sendable {
        case thinks, isHungry, eats, hasLeft
    }

    let seat: Int
    let activity: Activity
    /// How often the philosopher has eaten before.
    let meals: Int

    init(_ seat: Int, _ activity: Activity, meals: Int) {
        self.seat = seat
        self.activity = activity
        self.meals = meals
    }

    /// How many meals have begun by now.
    var begunMeals: Int { activity == .eats ? meals + 1 : meals }

    /// Which of a philosopher's changes came later.
    func isLater(than other: Change) -> Bool {
        (meals, activity.rawValue) > (other.meals, other.activity.rawValue)
    }
}

/// What philosophers are called, and the forks between them.
enum Philosopher {
    /// A to Z; with more than 26 of them, numbers from 1.
    static func name(_ seat: Int, of count: Int) -> String {
        count <= 26 ? String(UnicodeScalar(UInt8(ascii: "A") + UInt8(seat))) : "\(seat + 1)"
    }

    /// The fork between each philosopher and the next one.
    static func forks(of count: Int) -> [String] {
        (0..<count).map { seat in
            let separator = count <= 26 ? "" : "-"
            return name(seat, of: count) + separator + name((seat + 1) % count, of: count)
        }
    }
}

/// Who does what, as it is drawn.
struct DinnerPicture: Sendable, Equatable {
    private(set) var changes: [Change?]
    var title: String

    init(philosophers: Int, title: String = "") {
        changes = Array(repeating: nil, count: philosophers)
        self.title = title
    }

    /// Draws what has changed. Returns whether it came in its turn; what comes late isn't drawn.
    mutating func apply(_ change: Change) -> Bool {
        if let shown = changes[change.seat], !change.isLater(than: shown) { return false }
        changes[change.seat] = change
        return true
    }

    /// The dinner is over: nobody is at the table any more.
    mutating func end() {
        for case let change? in changes {
            changes[change.seat] = Change(change.seat, .hasLeft, meals: change.begunMeals)
        }
    }

    /// Whether the philosopher has a neighbour, and both eat.
    func eatsBesideNeighbour(_ seat: Int) -> Bool {
        let neighbours = [(seat + 1) % changes.count, (seat + changes.count - 1) % changes.count]
        return eats(seat) && neighbours.contains { $0 != seat && eats($0) }
    }

    private func eats(_ seat: Int) -> Bool { changes[seat]?.activity == .eats }

    /// The names of the forks that lie on the table; those in use leave a gap.
    private var forks: String {
        Philosopher.forks(of: changes.count).enumerated().map { seat, name in
            let isInUse = eats(seat) || eats((seat + 1) % changes.count)
            return isInUse ? String(repeating: " ", count: name.count) : name
        }
        .joined(separator: " ")
    }

    /// The whole picture: a line for each philosopher and the forks, or a symbol for each if they are more than twenty.
    var lines: [String] {
        guard changes.count <= 20 else {
            return [title]
                + stride(from: 0, to: changes.count, by: 60).map { first in
                    "  " + changes[first...].prefix(60).map { $0.map { Self.symbol($0.activity) } ?? "·" }.joined()
                }
        }
        return [title]
            + changes.indices.map { seat in
                let name = Philosopher.name(seat, of: changes.count).padded(to: 5)
                guard let change = changes[seat] else { return "  " + name + "·" }
                return "  " + name + Self.symbol(change.activity) + " "
                    + Self.word(change.activity).padded(to: 11)
                    + String(repeating: "•", count: min(change.begunMeals, 40))
            }
            + ["  on the table: \(forks)".trimmedAtEnd]
    }

    /// One change, where no picture can be drawn.
    func line(_ change: Change) -> String {
        let name = Philosopher.name(change.seat, of: changes.count)
        let meal = change.activity == .eats ? ", meal \(change.meals + 1)" : ""
        return "\(name) \(Self.word(change.activity))\(meal)"
    }

    private static func word(_ activity: Change.Activity) -> String {
        switch activity {
        case .thinks: "thinks"
        case .isHungry: "is hungry"
        case .eats: "eats"
        case .hasLeft: "has left"
        }
    }

    private static func symbol(_ activity: Change.Activity) -> String {
        switch activity {
        case .thinks: "○"
        case .isHungry: "◐"
        case .eats: "●"
        case .hasLeft: " "
        }
    }
}

/// Shows a dinner on a screen. Its state is the main actor's, as that of a user interface would be.
@MainActor final class DinnerView {
    private(set) var picture: DinnerPicture
    private(set) var shown = 0
    private(set) var late = 0
    /// How often two neighbours were seen eating together.
    private(set) var clashes = 0
    private let screen: Screen
    private let isWatched: Bool

    init(philosophers: Int, on screen: Screen, isWatched: Bool) {
        picture = DinnerPicture(philosophers: philosophers)
        self.screen = screen
        self.isWatched = isWatched
    }

    func show(_ change: Change) {
        guard picture.apply(change) else {
            late += 1
            return
        }
        shown += 1
        if picture.eatsBesideNeighbour(change.seat) { clashes += 1 }
        guard isWatched else { return }
        if screen.style == .inPlace { screen.show(picture.lines) } else { screen.leave([picture.line(change)]) }
    }

    /// Begins a new picture, or says what has become of the old one.
    func announce(_ title: String, isFresh: Bool) {
        if isFresh { picture = DinnerPicture(philosophers: picture.changes.count) } else { picture.end() }
        picture.title = title
        guard isWatched else { return }
        if screen.style == .inPlace { screen.show(picture.lines) } else { screen.leave([title]) }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
