public import ChemActors
import ChemBase

/// A pool of resources, each of which is used by one task at a time: connections, files, buffers.
///
/// ```swift
/// let connections = ResourcePool(atMost: 4) { try await Connection(to: server) }
/// let rows = try await connections.withResource { connection in try await connection.query(text) }
/// ```
///
/// Those who wait are served oldest first; of several resources the one that was given back last is used next. A task
/// that is cancelled while it waits is withdrawn, and takes nothing; one that has got a resource gives it back however
/// its body ends. A resource is made, by the task that needs it, when none is there and there is room for one more; one
/// that is just being given back may come too late to prevent that.
///
/// Where there is nothing to hand out but the right to do something, a semaphore does.
public struct ResourcePool<Resource: Sendable>: Exportable {
    private let take: FastMolecule<Void, Resource?>
    private let giveBack: SlowMolecule<Resource?>
    private let make: @concurrent @Sendable () async throws -> Resource
    private let isUsable: @Sendable (Resource) -> Bool

    /// A pool that makes its resources when they are needed.
    ///
    /// - Parameters:
    ///   - limit: How many resources there may be at once, at least 1.
    ///   - isUsable: Whether a resource that is given back may be used again. One that mayn't is dropped, and a new one
    ///     takes its place when needed. By default each may.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - make: Makes a resource. If it throws, whoever needed the resource gets the error.
    /// - Complexity: O(`limit`).
    public init(
        atMost limit: Int,
        isUsable: @escaping @Sendable (Resource) -> Bool = { _ in true },
        fileID: StaticString = #fileID,
        line: UInt = #line,
        make: @escaping @concurrent @Sendable () async throws -> Resource
    ) {
        demand(limit >= 1, "a resource pool needs room for at least 1 resource, not \(limit)", fileID, line)
        self.make = make
        self.isUsable = isUsable
        (take, giveBack) = Self.define([], limit)
    }

    /// A pool of resources that are there already.
    ///
    /// - Parameters:
    ///   - resources: The resources, at least one.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(number of resources).
    public init(_ resources: [Resource], fileID: StaticString = #fileID, line: UInt = #line) {
        demand(!resources.isEmpty, "a resource pool needs at least 1 resource, not 0", fileID, line)
        make = { fatalError("ChemLibrary: a pool of given resources makes none") }
        isUsable = { _ in true }
        (take, giveBack) = Self.define(resources, resources.count)
    }

    private static func define(
        _ resources: [Resource],
        _ limit: Int
    ) -> (FastMolecule<Void, Resource?>, SlowMolecule<Resource?>) {
        Join.define("resourcePool") { join in
            // There is a `place` for each resource that nobody uses, made or not, and those that are made are `idle`.
            let idle = join.state("idle", resources)
            let place = join.slow("place")
            let take = join.fast("take", returning: Resource?.self, order: .oldestFirst)
            let giveBack = join.slow("giveBack", of: Resource?.self)

            join.answer(take, with: place, updating: idle) { idle, _, _ in idle.popLast() }
            join.when(giveBack, updating: idle) { idle, resource in
                if let resource { idle.append(resource) }
                place()
            }
            place.inject(contentsOf: repeatElement((), count: limit))
            return (take, giveBack)
        }
    }

    /// Runs `body` with a resource that nobody else uses meanwhile.
    ///
    /// Don't keep the resource. Waiting for a second resource inside of `body` may wait for ever, if all who use one do
    /// so.
    ///
    /// - Parameter body: Runs here, in the calling task.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, what making a resource throws, or `CancellationError` if the task is cancelled
    ///   while it waits.
    nonisolated(nonsending)
        public func withResource<Value>(
            _ body: nonisolated(nonsending) (Resource) async throws -> Value
        ) async throws -> Value
    {
        var resource = try await take()
        defer { giveBack(resource.flatMap { isUsable($0) ? $0 : nil }) }
        if let resource { return try await body(resource) }
        let made = try await make()
        resource = made
        return try await body(made)
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
