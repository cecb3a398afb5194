import ChemActors
import Recipes

// snippet.cache
/// Values that are expensive to load, kept for some time. Whoever asks during a load waits for that one.
struct Cache<Value: Sendable>: JoinDefinition {
    typealias Load = @concurrent @Sendable (String) async throws -> Value

    /// Answered at once, with the future of the value that is kept or of the load that is under way.
    let find = FastMolecule<String, JoinFuture<Value>>()
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
            if entries.count >= limits.forecasts { Self.removeNext(from: &entries) }
            let promise = JoinPromise<Value>()
            entries[key] = Entry(future: promise.future)
            missing((key, promise))
            return promise.future
        }
        join.when(missing) { [load] missing async in
            let result: Result<Value, any Error>
            do { result = .success(try await load(missing.key)) } catch { result = .failure(error) }
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

    /// Forgets the value that would expire next.
    private static func removeNext(from entries: inout [String: Entry]) {
        let known = entries.compactMap { key, entry in entry.expiry.map { (key: key, expiry: $0) } }
        if let next = known.min(by: { $0.expiry < $1.expiry }) { entries[next.key] = nil }
    }

    private struct Loaded {
        let key: String
        let promise: JoinPromise<Value>
        let result: Result<Value, any Error>
    }
}
// snippet.end
