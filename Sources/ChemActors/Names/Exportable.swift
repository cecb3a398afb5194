/// A value made of names, which `define` can return and molecules can carry out of their definition.
///
/// Inside its definition a name doesn't keep the chemistry alive; an *exported* one does: it holds a lease. Whatever `define` returns
/// is exported, and so are the names on a molecule of another definition. Names, `Array`, `Optional`, and the control handle conform. A
/// structure of names needs one property:
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
    /// Unstructured tasks and global storage need it to be asked for; everything else asks itself. Exporting a name of a
    /// definition that has dissolved changes nothing.
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
