public import ChemActors
import ChemBase
import Synchronization

/// The setting side of a one-time value; ``future`` is the awaiting side.
///
/// ```swift
/// let login = JoinPromise<Session>()
/// screen.future = login.future
/// // later, in a callback:
/// login.fulfill(session)
/// ```
///
/// The first caller sets it, once, with a value or an error; setting works in synchronous code. When the last copy of
/// an unset promise is gone, its future fails with ``PromiseBroken``: no task waits for a value that can't come. What
/// is set stays set, also when the scope in which the promise was made has ended.
///
/// A continuation adapts one callback to one caller, and must be resumed exactly once: prefer it for just that. A
/// `Task` is a one-time value as well: prefer `task.value` if one function computes the value.
///
/// Source: D. Friedman and D. Wise, promises; in the join calculus, a molecule that its reader puts back.
public struct JoinPromise<Value: Sendable>: Exportable {
    /// The future on which any number of tasks may await the value.
    public let future: JoinFuture<Value>
    private let setter: Setter

    /// A promise that isn't set yet.
    ///
    /// - Parameters:
    ///   - name: What the promise is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(name: String = "promise", fileID: StaticString = #fileID, line: UInt = #line) {
        let kept = KeptOutcome<Value>()
        let (set, setting, get, outcome) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let outcome = join.state("outcome", Result<Value, any Error>?.none)
            let unset = join.slow("unset")
            let isSet = join.slow("isSet")
            let set = join.fast("set", of: Result<Value, any Error>.self)
            let setting = join.slow("setting", of: Result<Value, any Error>.self)
            let get = join.fast("get", returning: Result<Value, any Error>?.self)

            join.answer(set, with: unset, updating: outcome) { outcome, result, _ in
                outcome = result
                kept.keep(result)
                isSet()
            }.produces(isSet)
            join.when(setting, unset, updating: outcome) { outcome, result, _ in
                outcome = result
                kept.keep(result)
                isSet()
            }.produces(isSet)
            join.when(setting, isSet) { _, _ in isSet() }
            join.answer(get, with: isSet, reading: outcome) { outcome, _, _ in
                isSet()
                return outcome
            }

            unset()
            return (set, setting, get, outcome.reader)
        }
        setter = Setter(set: set, setting: setting, name: name)
        future = JoinFuture(get: get, outcome: outcome, kept: kept)
    }

    /// Sets the value, unless something is set already.
    ///
    /// - Parameter value: The outcome of the future from now on.
    /// - Returns: whether this call has set it. If the machine is paused, false; once it resumes, one of the values
    ///   given meanwhile is set, unless something is set already.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool { settle(.success(value)) }

    /// Sets an error, unless something is set already.
    ///
    /// - Parameter error: The error that the future throws to all its callers from now on.
    /// - Returns: whether this call has set it. If the machine is paused, false; once it resumes, one of the values
    ///   given meanwhile is set, unless something is set already.
    @discardableResult
    public func fail(_ error: any Error) -> Bool { settle(.failure(error)) }

    /// Sets a value or an error, unless something is set already.
    ///
    /// - Parameter result: The outcome of the future from now on.
    /// - Returns: whether this call has set it. If the machine is paused, false; once it resumes, one of the values
    ///   given meanwhile is set, unless something is set already.
    @discardableResult
    public func settle(_ result: Result<Value, any Error>) -> Bool { setter.set(result) }

    private init(future: JoinFuture<Value>, setter: Setter) {
        self.future = future
        self.setter = setter
    }

    /// The same promise.
    public var exported: JoinPromise { JoinPromise(future: future.exported, setter: setter) }

    /// The setter that all copies of a promise share; its deinit means that the last copy is gone.
    private final class Setter: Sendable {
        private let setNow: FastMolecule<Result<Value, any Error>, Void>
        /// Changes nothing if something is set already; if the definition is paused, sets as soon as it resumes.
        private let setSoon: SlowMolecule<Result<Value, any Error>>
        /// Whether something was given, for `deinit`, which comes after all that is.
        private let isSet = Atomic(false)
        /// What the promise is called.
        private let name: String

        init(
            set: FastMolecule<Result<Value, any Error>, Void>,
            setting: SlowMolecule<Result<Value, any Error>>,
            name: String
        ) {
            setNow = set
            setSoon = setting
            self.name = name
        }

        func set(_ result: Result<Value, any Error>) -> Bool {
            let isNow = (try? setNow.tryCall(result)) != nil
            if !isNow { setSoon(result) }
            isSet.store(true, ordering: .releasing)
            return isNow
        }

        deinit {
            if !isSet.load(ordering: .acquiring) { _ = set(.failure(PromiseBroken(name))) }
        }
    }
}

/// The awaiting side of a one-time value.
///
/// Any number of tasks may wait, and any number may come later. If one is cancelled, the others go on waiting.
public struct JoinFuture<Value: Sendable>: Exportable {
    private let get: FastMolecule<Void, Result<Value, any Error>?>
    private let reader: StateReader<Result<Value, any Error>?>
    private let kept: KeptOutcome<Value>

    fileprivate init(
        get: FastMolecule<Void, Result<Value, any Error>?>,
        outcome: StateReader<Result<Value, any Error>?>,
        kept: KeptOutcome<Value>
    ) {
        self.get = get
        reader = outcome
        self.kept = kept
    }

    /// The value or error that was set, or nil if nothing is set yet. Never waits.
    public var outcome: Result<Value, any Error>? { reader.value ?? kept.now }

    /// The value, as soon as it is set.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the value.
    /// - Throws: the error that was set; ``PromiseBroken`` if the promise is gone; `CancellationError` if the task is
    ///   cancelled while it waits.
    nonisolated(nonsending) public func value(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        if let outcome { return try outcome.get() }
        return try await valueToCome(fileID: fileID, line: line)
    }

    /// The same, for whoever knows that it's hardly ever set yet.
    nonisolated(nonsending) func valueToCome(fileID: StaticString, line: UInt) async throws -> Value {
        do {
            return try await outcome(of: get(fileID: fileID, line: line))
        } catch let error as CallError {
            return try outcome(after: error)
        }
    }

    /// The value, if it is set before `duration` has passed.
    ///
    /// - Parameters:
    ///   - duration: How long to wait. Zero or less: return it only if it is set now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the value.
    /// - Throws: as ``value(fileID:line:)``, and `CallError` if the time was up.
    nonisolated(nonsending) public func value(
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        if let outcome { return try outcome.get() }
        do {
            return try await outcome(of: get(within: duration, fileID: fileID, line: line))
        } catch let error as CallError {
            return try outcome(after: error)
        }
    }

    /// A definition that has ended answers no call, but what was set before stays set.
    private func outcome(after error: CallError) throws -> Value {
        guard let outcome = kept.now else { throw error }
        return try outcome.get()
    }

    private func outcome(of answer: Result<Value, any Error>?) throws -> Value {
        guard let answer else { fatalError("ChemLibrary: a promise is set to nothing") }
        return try answer.get()
    }

    /// The same future, kept alive by this value.
    public var exported: JoinFuture { JoinFuture(get: get.exported, outcome: reader.exported, kept: kept) }
}

/// What was set, beyond the end of the definition, which forgets its states. Until then the state tells, which
/// explorations and replays know of.
private final class KeptOutcome<Value: Sendable>: Sendable {
    private let result = Guarded<Result<Value, any Error>?>(nil)

    var now: Result<Value, any Error>? { result.withLock { $0 } }

    /// Called once.
    func keep(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }
}

/// The promise is gone, and nothing was set.
public struct PromiseBroken: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the promise.
    public let promise: String

    /// Creates the error.
    ///
    /// - Parameter promise: The name of the promise; by default, that of one that was given none.
    public init(_ promise: String = "promise") { self.promise = promise }

    /// The error message.
    public var description: String { "The last copy of '\(promise)' is gone, and nothing was set." }
}
