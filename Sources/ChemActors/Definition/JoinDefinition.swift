/// A join definition as a type: its molecules are the stored properties of a structure.
///
/// ```swift
/// struct Counter: JoinDefinition {
///     let increment = SlowMolecule<Int>()
///     let value = FastMolecule<Void, Int>()
///     private let count = StateMolecule(0)
///
///     func react(in join: inout Join.Builder) {
///         join.when(increment, updating: count) { count, step in count += step }
///         join.answer(value, reading: count) { count, _ in count }
///     }
/// }
///
/// let counter = Join.make(Counter())
/// counter.increment(5)
/// print(try await counter.value())  // 5, or still 0: reactions start in any order
/// ```
///
/// Each molecule is called after its property, in messages, snapshots and drawings. What isn't private is what the
/// outside may use. An initializer may take what the chemistry depends on: initial values, capacities, names of other
/// definitions.
///
/// The structure that ``Join/make(_:called:on:fileID:line:)`` returns holds its names exported: as long as a copy of
/// it is held, the definition lives. It can be passed, stored, and carried by molecules as any name.
///
/// A property that is a structure with molecules of its own, or an array or a dictionary of molecules, is a part of the
/// definition: those are called `left.fork` or `forks[2]`. If it is a `JoinDefinition` itself, which is made as the
/// initial value of the property, it becomes a part as well, and `react` calls its `react(in:)`.
public protocol JoinDefinition: Exportable {
    /// Declares the reactions. Called once, by ``Join/make(_:called:on:fileID:line:)``, when all properties have their
    /// values.
    ///
    /// Here `self` is what the closures of reactions may use: its names are those of the inside, which don't keep the
    /// definition alive.
    ///
    /// - Parameter join: The builder, which also declares molecules that need no property.
    func react(in join: inout Join.Builder)
}

extension JoinDefinition {
    /// The same structure with each of its names exported.
    public var exported: Self { Exports.properties(of: self) }
}

extension Join {
    /// Makes a join definition that is written as a type.
    ///
    /// ```swift
    /// let counter = Join.make(Counter())
    /// ```
    ///
    /// The definition is checked as one that `define` makes, and
    /// belongs to the same machine.
    ///
    /// - Parameters:
    ///   - definition: The initializer of a structure. It is called here, once; its molecules become those of a new
    ///     definition.
    ///   - name: What the definition is called in messages. Nil for the name of the type.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    /// - Returns: the structure, exported.
    /// - Throws: what the initializer throws. In that case there is no definition.
    /// - Complexity: O(molecules + inputs of all reactions), and O(elements) for properties that are collections.
    public static func make<Definition: JoinDefinition>(
        _ definition: @autoclosure () throws -> Definition,
        called name: String? = nil,
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) rethrows -> Definition {
        try currentMachine.make(try definition(), called: name, on: actor, fileID: fileID, line: line)
    }

    /// The definition that is being made here, for a property that keeps its control handle.
    ///
    /// ```swift
    /// struct Counter: JoinDefinition {
    ///     let definition = Join.beingMade
    ///     …
    /// }
    ///
    /// let counter = Join.make(Counter())
    /// try await counter.definition.quiescence()
    /// ```
    ///
    /// It can be asked for in the initializer of a ``JoinDefinition``; anywhere else, the program stops with a message.
    public static var beingMade: Join { beingMade(at: nil, "Join.beingMade") }

    /// The definition that is being made here. `what` says for messages who asks for it, at `location`.
    static func beingMade(at location: SourceLocation?, _ what: @autoclosure () -> String) -> Join {
        if let soup = ThreadMark.current {
            let entry = soup.enter()
            let isBeingMade = entry.contents.life.phase == .defining
            entry.leaveUnchanged()
            if isBeingMade { return soup.join }
        }
        let place = location ?? SourceLocation(fileID: #fileID, line: #line)
        fatalError(
            "ChemActors: \(what())\(location.map { " (\($0))" } ?? "") belongs to the definition that is being made, and none "
                + "is here: it is a property of a JoinDefinition, and that is made as a whole, as in 'let counter = Join.make(Counter())'",
            file: place.fileID,
            line: place.line
        )
    }
}

extension ChemicalMachine {
    /// Makes a join definition that is written as a type, on this machine.
    ///
    /// See ``Join/make(_:called:on:fileID:line:)`` for the details.
    ///
    /// - Parameters:
    ///   - definition: The initializer of a structure.
    ///   - name: What the definition is called in messages. Nil for the name of the type.
    ///   - actor: `MainActor.self` to designate the definition to the main actor.
    ///   - fileID: The file of the definition, for messages.
    ///   - line: The line of the definition, for messages.
    /// - Returns: the structure, exported.
    /// - Throws: what the initializer throws. In that case there is no definition.
    public func make<Definition: JoinDefinition>(
        _ definition: @autoclosure () throws -> Definition,
        called name: String? = nil,
        on actor: MainActor.Type? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) rethrows -> Definition {
        let name = name ?? _typeName(Definition.self, qualified: false)
        let location = SourceLocation(fileID: fileID, line: line)
        Exports.check(Definition.self, location)
        return try Join.define(name, on: self, actor, at: location) { builder in
            let made = try definition()
            PropertyNames.name(made, in: builder.join)
            made.react(in: &builder)
            return made
        } export: {
            Exports.from($0, $1, sharing: $0.makeLease(within: $0.home))
        }
    }
}
