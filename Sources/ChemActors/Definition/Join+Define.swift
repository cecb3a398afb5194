// The two forms of `define`, on a machine and on the machine of the surrounding code.
//
// What a closure returns is generic as a whole. A tuple of generic types, or of a pack of them, would say more; but
// then the compiler adds to each mistake in a closure that their types could not be inferred.

extension ChemicalMachine {
    /// Makes a join definition on this machine.
    ///
    /// See `Join.define` for the details.
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions; returns the names that the outside may use.
    /// - Returns: what `chemistry` returns, exported.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    public func define<Names: Exportable>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> Names
    ) rethrows -> Names {
        try Join.define(name, on: self, actor, at: SourceLocation(fileID: fileID, line: line), chemistry) {
            Exports.from($0, $1, sharing: $0.makeLease(within: $0.home))
        }
    }

    /// Makes a join definition on this machine, whose closure returns several names, or something that holds names.
    ///
    /// See `Join.define` for the details.
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions; returns the names that the outside may use.
    /// - Returns: what `chemistry` returns, with the names in it exported.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    public func define<Result>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> Result
    ) rethrows -> Result {
        let location = SourceLocation(fileID: fileID, line: line)
        let type = ResultType.find(Result.self)
        if let flaw = type?.flaw { Join.refuse(name, at: location, flaw) }
        return try Join.define(
            name,
            on: self,
            actor,
            at: location,
            chemistry,
            isNameless: type?.finder == nil
        ) {
            Exports.from($0, $1, of: type)
        }
    }

    /// Makes a join definition on this machine that runs by itself: none of its names are visible outside.
    ///
    /// See `Join.define` for the details.
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    public func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Join.Builder) throws -> Void
    ) rethrows {
        let location = SourceLocation(fileID: fileID, line: line)
        try Join.define(name, on: self, actor, at: location, chemistry, isNameless: true) { _, _ in }
    }
}

extension ChemicalMachine {
    /// Makes a join definition that has to be started, by `Join.startIfLiving` or `Join.start`. So it can be made under
    /// a lock: until then nothing of a user is called or released. It keeps alive what a definition made in
    /// `surroundings` does, or with nil, in this code.
    package func defineUnstarted<Names: Exportable>(
        _ name: String,
        on actor: MainActor.Type? = nil,
        in surroundings: Surroundings?,
        fileID: StaticString,
        line: UInt,
        _ chemistry: (inout Join.Builder) -> Names
    ) -> Names {
        Join.define(
            name,
            on: self,
            actor,
            at: SourceLocation(fileID: fileID, line: line),
            chemistry,
            born: surroundings.map { Birthplace(parent: $0.lease) } ?? Join.birthplace,
            isStarted: false
        ) {
            Exports.from($0, $1, sharing: $0.makeLease(within: $0.home))
        }
    }
}

extension Join {
    /// Makes a join definition: names, and reactions that consume them.
    ///
    /// ```swift
    /// let (put, take) = Join.define("slot") { join in
    ///     let put = join.slow("put", of: String.self)
    ///     let take = join.fast("take", returning: String.self)
    ///     join.answer(take, with: put) { _, text in text }
    ///     return (put, take)
    /// }
    /// ```
    ///
    /// The chemistry is fixed when the closure returns: the builder can't leave it. Then the definition is checked:
    /// some reaction has to consume every molecule, no two reactions may have the same inputs, and no reaction may
    /// consume nothing but states. A violation stops the program with a message that names the definition, the molecule
    /// and the source line.
    ///
    /// Molecules injected inside the closure wait until the definition has passed the check. The closure runs once,
    /// immediately, in the calling task. The definition belongs to the machine of the body or scope in which it is
    /// made, or else to ``ChemicalMachine/shared``.
    ///
    /// The definition lives as long as one of the returned names is held, a call waits, a body runs or a reaction is
    /// possible. Then it dissolves.
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor: its synchronous bodies run on the
    ///     main thread, and those that an injection on the main thread makes possible run before the outermost such
    ///     injection returns.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions; returns the names that the outside may use.
    /// - Returns: what `chemistry` returns, exported: a name, or any ``Exportable`` value.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    /// - Complexity: O(molecules + inputs of all reactions).
    public static func define<Names: Exportable>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Builder) throws -> Names
    ) rethrows -> Names {
        try currentMachine.define(name, on: actor, fileID: fileID, line: line, chemistry)
    }

    /// Makes a join definition whose closure returns several names, or something that holds names.
    ///
    /// ```swift
    /// struct Slot {
    ///     let put: SlowMolecule<String>
    ///     let take: FastMolecule<Void, String>
    /// }
    ///
    /// let (slots, definition) = Join.define("slots") { join in
    ///     let slots = (0..<3).map { number in
    ///         Slot(
    ///             put: join.slow("put\(number)", of: String.self),
    ///             take: join.fast("take\(number)", returning: String.self)
    ///         )
    ///     }
    ///     for slot in slots { join.answer(slot.take, with: slot.put) { _, text in text } }
    ///     return (slots, join.definition)
    /// }
    /// ```
    ///
    /// Names are found and exported in tuples, with labels or without, in structures, enumerations, dictionaries and
    /// the other collections of the standard library, in any depth. A type that conforms to ``Exportable`` says itself
    /// what is exported. A state, a closure, or names in an indirect case of an enumeration stop the program, with a
    /// message that says what to return instead. Objects are returned as they are: what they store should be `exported`
    /// before.
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor: its synchronous bodies run on the
    ///     main thread, and those that an injection on the main thread makes possible run before the outermost such
    ///     injection returns.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions; returns the names that the outside may use.
    /// - Returns: what `chemistry` returns, with the names in it exported.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    public static func define<Result>(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Builder) throws -> Result
    ) rethrows -> Result {
        try currentMachine.define(name, on: actor, fileID: fileID, line: line, chemistry)
    }

    /// Makes a join definition that runs by itself: none of its names are visible outside.
    ///
    /// ```swift
    /// Join.define("heartbeat") { join in
    ///     let beat = join.slow("beat")
    ///     join.when(beat) { _ in
    ///         try await Task.sleep(for: .seconds(1))
    ///         beat()
    ///     }
    ///     beat()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the definition is called in messages.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    ///   - chemistry: Declares molecules and reactions.
    /// - Throws: what `chemistry` throws. In that case there is no definition.
    public static func define(
        _ name: String = "join",
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ chemistry: (inout Builder) throws -> Void
    ) rethrows {
        try currentMachine.define(name, on: actor, fileID: fileID, line: line, chemistry)
    }

    /// Stops the program because of a definition that can't be.
    static func refuse(_ name: String, at location: SourceLocation, _ flaw: String) -> Never {
        // Not `precondition`: that prints no text under -O.
        fatalError(
            "ChemActors: definition '\(name)' (\(location)) \(flaw).",
            file: location.fileID,
            line: location.line
        )
    }

    /// The definition whose closure or body is running here, synchronous or not.
    private static var current: Join? {
        ThreadMark.current?.join ?? BodyScope.current?.join
    }

    /// What a definition has to know that is made here.
    static var birthplace: Birthplace { current?.birthplace() ?? Birthplace() }

    /// The machine of the body that runs here, if one does.
    package static var machineOfBody: ChemicalMachine? { current?.machine }

    /// The machine on which `define` makes definitions here.
    package static var currentMachine: ChemicalMachine {
        if let soup = ThreadMark.current { return soup.join.machine }
        // Between a scope and a body, the inner one counts: a scope knows in which body it was entered.
        let (entry, body) = (ChemicalMachine.surrounding, BodyScope.current)
        if let entry, entry.body === body { return entry.machine }
        return body?.join.machine ?? entry?.machine ?? DrivenThread.machine ?? .shared
    }

    /// What all forms of `define` do: run the closure, check, export, start.
    static func define<Names>(
        _ name: String,
        on machine: ChemicalMachine,
        _ actor: MainActor.Type?,
        at location: SourceLocation,
        _ chemistry: (inout Builder) throws -> Names,
        isNameless: Bool = false,
        born place: Birthplace = birthplace,
        isStarted: Bool = true,
        export: (Join, Names) -> Names
    ) rethrows -> Names {
        let join = Join(
            name: name,
            location: location,
            machine: machine,
            isOnMain: actor != nil,
            at: place
        )
        let outer = join.soup.markMine()
        var builder = Builder(join)
        let names: Names
        do {
            names = try chemistry(&builder)
        } catch {
            join.soup.mark(outer)
            join.abandon()
            throw error
        }
        join.soup.mark(outer)
        join.seal()
        let exported = export(join, names)
        if isStarted { join.start(isNameless: isNameless) }
        return exported
    }
}
