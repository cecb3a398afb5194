import ChemBase

/// What a name keeps alive: its definition, or a lease on it.
@usableFromInline
typealias Anchor = any AnyObject & Sendable

/// Knows where names are travelling to while their `exported` is read.
@usableFromInline
package enum Exports {
    /// The destination of the names that this thread is exporting.
    private static let current = ThreadLocal()

    /// The definition for which `exported` is read. Its own names get `lease`, or stay local if there is none.
    private struct Destination {
        let soup: SoupReference?
        let lease: Lease?

        /// The definition in whose soup or closure the names are afterwards. Nil if they may be anywhere.
        var place: Join? { lease == nil ? soup?.join : lease?.scope }
    }

    /// `value` as it travels on a molecule of `soup`, or to a caller, wherever that is, if that is nil: names of that
    /// definition local, all others exported.
    ///
    /// Inlined: for a type that is known to be `Exportable`, the compiler resolves the cast, which takes 60 ns at run
    /// time.
    @inlinable
    @inline(__always)
    static func onto<Value>(_ soup: SoupReference?, _ value: Value) -> Value {
        // `exported` returns a value of the same type, which was a `Value`.
        func own<Names: Exportable>(_ names: Names) -> Value { exported(names, onto: soup) as! Value }
        if let names = value as? any Exportable { return own(names) }
        return looked(into: value, onto: soup)
    }

    /// A value that exports itself, as `onto` says.
    @usableFromInline
    static func exported<Names: Exportable>(_ names: Names, onto soup: SoupReference?) -> Names {
        exported(names, to: Destination(soup: soup, lease: nil))
    }

    /// Any other value, as `onto` says.
    @usableFromInline
    static func looked<Value>(into value: Value, onto soup: SoupReference?) -> Value {
        guard let finder = NameFinder.find(in: Value.self) else { return value }
        return travelling(to: Destination(soup: soup, lease: nil)) { finder.exported(value) }
    }

    /// Whether values of the type may be names or hold some.
    @usableFromInline
    package static func mayFindNames<Value>(in type: Value.Type) -> Bool { NameFinder.find(in: type) != nil }

    /// `value` as it travels to a caller, or in an object of the library: all names exported.
    @usableFromInline
    package static func outward<Value>(_ value: Value) -> Value { onto(nil, value) }

    /// `value` as it is returned by `define`: the names of `join` share one lease.
    static func from<Value: Exportable>(_ join: Join, _ value: Value, sharing lease: Lease?) -> Value {
        exported(value, to: Destination(soup: join.soup, lease: lease))
    }

    /// `value` as it is returned by `define`, given what is known about its type.
    static func from<Value>(_ join: Join, _ value: Value, of type: ResultType?) -> Value {
        guard let finder = type?.finder else { return value }
        let lease = join.makeLease(within: join.home)
        return travelling(to: Destination(soup: join.soup, lease: lease)) { finder.exported(value) }
    }

    /// `value`, which is a structure, with each name in its properties exported.
    static func properties<Value>(of value: Value) -> Value {
        NameFinder.find(inPropertiesOf: Value.self)?.exported(value) ?? value
    }

    /// Stops the program if `properties(of:)` couldn't export all names.
    static func check<Value>(_ type: Value.Type, _ location: SourceLocation) {
        let problem: String
        if TypeLayout.kind(of: type) != .structure {
            problem = "is no structure, and only the properties of one can be exported: write 'struct'"
        } else if let flaw = NameFinder.find(inPropertiesOf: type)?.flaw {
            problem =
                "holds names in an indirect case of '\(_typeName(flaw, qualified: false))', where they can't be exported: "
                + "make that type conform to Exportable"
        } else {
            return
        }
        fatalError(
            "ChemActors: the definition '\(_typeName(type, qualified: false))' (\(location)) \(problem)",
            file: location.fileID,
            line: location.line
        )
    }

    private static func exported<Value: Exportable>(_ value: Value, to destination: Destination) -> Value {
        travelling(to: destination) { value.exported }
    }

    /// Runs `export`, which reads the `exported` of names on their way to `destination`.
    private static func travelling<Value>(to destination: Destination, _ export: () -> Value) -> Value {
        withUnsafePointer(to: destination) { pointer in
            current.with(UnsafeMutableRawPointer(mutating: pointer), export)
        }
    }

    /// What a name of `soup` has to hold when it is exported, given that it holds `anchor` now.
    static func anchor(of soup: SoupReference, now anchor: Anchor) -> Anchor {
        let destination = current.pointer?.assumingMemoryBound(to: Destination.self)
        if let destination, destination.pointee.soup == soup {
            return destination.pointee.lease ?? soup.join
        }
        let place = destination?.pointee.place
        if soup.join.isHome(of: place) { return soup.join }
        if let lease = anchor as? Lease { return lease.at(place) }
        return soup.join.makeLease(at: place) ?? anchor
    }
}
