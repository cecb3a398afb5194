import ChemActors
import ChemBase

/// Pictures of definitions that code of the library makes inside of itself.
struct Album {
    /// For recipes that have a machine of their own.
    static let configuration = ChemicalMachine.Configuration(recorder: .full(limit: 128))

    private(set) var all: [String: String] = [:]

    /// Draws the definition called `name` that `use` makes, when everything has happened. If it makes several, what has
    /// happened in any of them is in the picture.
    ///
    /// - Parameters:
    ///   - name: The name of the definition, and of the picture.
    ///   - showsForeign: Whether the picture shows molecules of other definitions.
    ///   - use: Makes the definition, and uses it.
    /// - Throws: what `use` throws.
    mutating func add(
        _ name: String,
        showsForeign: Bool = true,
        _ use: (Lookout) async throws -> Void
    ) async throws {
        let lookout = Lookout(ChemicalMachine(Self.configuration))
        try await lookout.machine.asCurrent { try await use(lookout) }
        let machine = lookout.machine
        try await machine.quiescence()
        let drawings = machine.drawings.filter { $0.definition == name }
        guard let first = drawings.first else { DrawPictures.stop("there was no definition '\(name)'") }
        let drawing = drawings.dropFirst().reduce(first) { $0.adding(outputsOf: $1) }
        all[name] = (showsForeign ? drawing : drawing.withoutForeign()).numberingReactions().svg
    }
}

/// Sees on which machine a recipe has made its definition.
final class Lookout: @unchecked Sendable {
    // Checked by hand: `found` is touched under `lock`.
    private let lock = Lock()
    private var found: ChemicalMachine

    init(_ machine: ChemicalMachine) {
        found = machine
    }

    /// The machine that is drawn.
    var machine: ChemicalMachine { lock.withLock { found } }

    /// The machine of the body that runs here is the one to be drawn.
    func look() {
        let machine = Join.machineOfBody ?? Join.currentMachine
        lock.withLock { found = machine }
    }

    /// Waits until reactions have taken so many copies of a molecule, called `definition.molecule`.
    func wait(forConsumed count: Int, of molecule: String) async {
        while machine.statistics.molecules[molecule]?.consumed ?? 0 < count { await Task.yield() }
    }

    /// Waits until a call waits and everything else is quiet: what is tried then can't fail because somebody is busy.
    func waitForCaller() async throws {
        while machine.statistics.waitingCalls == 0 { await Task.yield() }
        try await machine.quiescence()
    }

    /// While nothing reacts, what tries to call a molecule finds nobody, and injects another one instead.
    func whilePaused(_ body: () -> Void) async throws {
        machine.pause()
        body()
        machine.resume()
        try await machine.quiescence()
    }
}
