import ChemActors
import Recipes

// snippet.cache
/// Values that are expensive to load, kept for some time. Whoever asks during a load waits for that one.
struct Cache<Value: Sendable>: JoinDefinition {
    typealias Load = @concurrent @Sendable (String) async throws -> Value

    /// Answered at once, with the future of the value that is kept or of the load that is under way. Nil if so many are
    /// under way that there is no room for another one.
    let find = FastMolecule<String, JoinFuture<Value>?>()
    private let missing = SlowMolecule<(key: String, promise: JoinPromise<Value>)>()
    private let loaded = SlowMolecule<Loaded>()
    private let entries = StateMolecule([String: Entry]())
    private let limits: Limits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let load: Load

    init(_ limits: Limits, now: @escaping @Sendable () -> ContinuousClock.Instant, load: @escaping Load) {
        self.limits = limits
        self.now = now
        self.load = load
    }

    func react(in join: inout Join.Builder) {
        join.answer(find, updating: entries) { [limits, now] entries, key in
            let time = now()
            if let entry = entries[key], !entry.isExpired(at: time) { return entry.future }
            entries = entries.filter { !$0.value.isExpired(at: time) }
            if entries.count >= limits.forecasts, !Self.removeNext(from: &entries) { return nil }
            let promise = JoinPromise<Value>()
            entries[key] = Entry(future: promise.future)
            missing((key, promise))
            return promise.future
        }
        join.when(missing) { [load, limits] missing async in
            let result: Result<Value, any Error>
            do {
                // One that never ended would take its place for ever.
                result = .success(try await withTimeout(limits.forecastLoad) { try await load(missing.key) })
            } catch {
                result = .failure(error)
            }
            loaded(Loaded(key: missing.key, promise: missing.promise, result: result))
        }
        join.when(loaded, updating: entries) { [limits, now] entries, load in
            // Who asks from here on finds the value, or begins another load if this one has failed.
            switch load.result {
            case .success: entries[load.key]?.expiry = now() + limits.forecastLifetime
            case .failure: entries[load.key] = nil
            }
            load.promise.settle(load.result)
        }
    }

    private struct Entry {
        let future: JoinFuture<Value>
        /// Not known while it is being loaded.
        var expiry: ContinuousClock.Instant?

        func isExpired(at now: ContinuousClock.Instant) -> Bool { expiry.map { $0 <= now } ?? false }
    }

    /// Forgets the value that would expire next. Returns whether there was one.
    private static func removeNext(from entries: inout [String: Entry]) -> Bool {
        let known = entries.compactMap { key, entry in entry.expiry.map { (key: key, expiry: $0) } }
        guard let next = known.min(by: { $0.expiry < $1.expiry }) else { return false }
        entries[next.key] = nil
        return true
    }

    private struct Loaded {
        let key: String
        let promise: JoinPromise<Value>
        let result: Result<Value, any Error>
    }
}
// snippet.end
