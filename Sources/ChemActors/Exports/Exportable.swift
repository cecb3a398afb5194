/// A value made of names, which says by itself how it is exported.
///
/// Inside its definition a name doesn't keep the chemistry alive; an *exported* one does: it holds a lease. Whatever
/// `define` returns is exported, and so are the names on a molecule of another definition, including those in a tuple,
/// a structure or an enumeration that doesn't conform: a type needs this protocol only if the runtime can't look into
/// it, or if its `exported` is wanted for a task or for global storage.
///
/// Names and the control handle conform, and so do `Array`, `Optional` and `Set` of them. A tree of names is an
/// example of a type that can't be looked into, because its nodes are behind references that copies share:
///
/// ```swift
/// indirect enum Tree: Exportable {
///     case leaf(SlowMolecule<Int>)
///     case node(Tree, Tree)
///
///     var exported: Tree {
///         switch self {
///         case .leaf(let name): .leaf(name.exported)
///         case .node(let left, let right): .node(left.exported, right.exported)
///         }
///     }
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
