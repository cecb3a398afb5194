public import ChemActors
import ChemBase

/// A pool of resources, such as connections, files or buffers, each of which one task at a time uses.
///
/// ```swift
/// let connections = ResourcePool(atMost: 4) { try await Connection(to: server) }
/// let rows = try await connections.withResource { connection in try await connection.query(text) }
/// ```
///
/// Waiting tasks are served oldest first; the resource that was given back last is used next. A task that is cancelled
/// while it waits is withdrawn, and takes nothing; a task that has a resource gives it back however its body ends. If
/// no resource is idle and there is room for one more, the task that needs it makes one; a resource that is just being
/// given back may come too late to prevent that.
///
/// If there is nothing to hand out but the right to do something, a semaphore is enough.
public struct ResourcePool<Resource: Sendable>: Exportable {
    private let take: FastMolecule<Void, Resource?>
    private let giveBack: SlowMolecule<Resource?>
    private let make: @concurrent @Sendable () async throws -> Resource
    private let isUsable: @Sendable (Resource) -> Bool

    /// A pool that makes its resources when they are needed.
    ///
    /// - Parameters:
    ///   - limit: How many resources there may be at once, at least 1.
    ///   - isUsable: Whether a resource that is given back may be used again. An unusable one is dropped, and a new one
    ///     takes its place when needed. By default, every resource may be used again.
    ///   - name: What the pool is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - make: Makes a resource. If it throws, the caller that needed the resource gets the error.
    /// - Complexity: O(`limit`).
    public init(
        atMost limit: Int,
        isUsable: @escaping @Sendable (Resource) -> Bool = { _ in true },
        name: String = "resourcePool",
        fileID: StaticString = #fileID,
        line: UInt = #line,
        make: @escaping @concurrent @Sendable () async throws -> Resource
    ) {
        demand(limit >= 1, "a resource pool needs room for at least 1 resource, not \(limit)", fileID, line)
        self.make = make
        self.isUsable = isUsable
        (take, giveBack) = Self.define([], limit, name, fileID, line)
    }

    /// A pool of existing resources.
    ///
    /// - Parameters:
    ///   - resources: The resources, at least one.
    ///   - name: What the pool is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(number of resources).
    public init(
        _ resources: [Resource],
        name: String = "resourcePool",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        demand(!resources.isEmpty, "a resource pool needs at least 1 resource, not 0", fileID, line)
        make = { fatalError("ChemLibrary: a pool of given resources makes none") }
        isUsable = { _ in true }
        (take, giveBack) = Self.define(resources, resources.count, name, fileID, line)
    }

    private static func define(
        _ resources: [Resource],
        _ limit: Int,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> (FastMolecule<Void, Resource?>, SlowMolecule<Resource?>) {
        Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            // There is a `place` for each unused resource, made or not; those already made are in `idle`.
            let idle = join.state("idle", resources)
            let place = join.slow("place")
            let take = join.fast("take", returning: Resource?.self, order: .oldestFirst)
            let giveBack = join.slow("giveBack", of: Resource?.self)

            join.answer(take, with: place, updating: idle) { idle, _, _ in idle.popLast() }
            join.when(giveBack, updating: idle) { idle, resource in
                if let resource { idle.append(resource) }
                place()
            }
            place.inject(contentsOf: repeatElement((), count: limit.countable))
            return (take, giveBack)
        }
    }

    /// Runs `body` with a resource that no other task uses meanwhile.
    ///
    /// Don't keep the resource. Waiting for a second resource inside `body` may last forever, if all tasks that hold a
    /// resource do so.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Runs here, in the calling task.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, what making a resource throws, or `CancellationError` if the task is cancelled
    ///   while it waits.
    nonisolated(nonsending)
        public func withResource<Value>(
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ body: nonisolated(nonsending) (Resource) async throws -> Value
        ) async throws -> Value
    {
        var resource = try await take(fileID: fileID, line: line)
        defer {
            // One that can't be used has gone before another one may be made in its place.
            if let used = resource, !isUsable(used) { resource = nil }
            giveBack(resource)
        }
        if resource == nil { resource = try await make() }
        guard let resource else { fatalError("ChemLibrary: a resource was made and is nil") }
        return try await body(resource)
    }

    private init(exporting other: ResourcePool) {
        take = other.take.exported
        giveBack = other.giveBack.exported
        make = other.make
        isUsable = other.isUsable
    }

    /// The same pool, kept alive by this value.
    public var exported: ResourcePool { ResourcePool(exporting: self) }
}
