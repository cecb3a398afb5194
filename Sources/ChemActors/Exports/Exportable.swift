/// A value made of names, which `define` can return and molecules can carry out of their definition.
///
/// Inside its definition a name doesn't keep the chemistry alive; an *exported* one does: it holds a lease. Whatever
/// `define` returns is exported, and so are the names on a molecule of another definition, including those in a tuple,
/// a structure or an enumeration that doesn't conform.
///
/// Names and the control handle conform, and so do `Array`, `Optional` and `Set` of them. A structure of names that
/// `define` is to return needs one property:
///
/// ```swift
/// struct Lamp: Exportable {
///     let on: SlowMolecule<Void>
///     let off: SlowMolecule<Void>
///     var exported: Lamp { Lamp(on: on.exported, off: off.exported) }
/// }
/// ```
public protocol Exportable: Sendable {
    /// The same value with each of its names exported.
    ///
    /// Unstructured tasks and global storage need an explicit `exported`; everywhere else the runtime exports names for
    /// you. Exporting a name of a definition that has dissolved changes nothing.
    var exported: Self { get }
}

extension Array: Exportable where Element: Exportable {
    /// The same array with each of its elements exported.
    public var exported: [Element] { map(\.exported) }
}

extension Optional: Exportable where Wrapped: Exportable {
    /// The same value, exported if there is one.
    public var exported: Wrapped? { map(\.exported) }
}

extension Set: Exportable where Element: Exportable {
    /// The same set with each of its elements exported. Distinct elements have to stay distinct.
    public var exported: Set { Set(map(\.exported)) }
}

extension Join: Exportable {
    /// The same handle: it controls the definition but doesn't keep it alive.
    nonisolated public var exported: Join { self }
}
