// Molecules that are made where a property is declared. They belong to the definition that is being made, and get the
// names of their properties as soon as these have their values: see `PropertyNames`.

extension SlowMolecule {
    /// Makes a slow molecule of the ``JoinDefinition`` whose property this is.
    ///
    /// ```swift
    /// let job = SlowMolecule<Job>(order: .oldestFirst)
    /// ```
    ///
    /// - Parameters:
    ///   - order: Which copy a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(order: Join.Order = .random, fileID: StaticString = #fileID, line: UInt = #line) {
        let join = Join.Builder.ofProperty("SlowMolecule<\(Value.self)>()", fileID, line)
        self = join.slow("", order: order, fileID: fileID, line: line)
    }
}

extension FastMolecule {
    /// Makes a fast molecule of the ``JoinDefinition`` whose property this is.
    ///
    /// ```swift
    /// let withdraw = FastMolecule<Int, Bool>()
    /// ```
    ///
    /// - Parameters:
    ///   - order: Which of several waiting calls a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(order: Join.Order = .random, fileID: StaticString = #fileID, line: UInt = #line) {
        let join = Join.Builder.ofProperty("FastMolecule<\(Argument.self), \(Answer.self)>()", fileID, line)
        self = join.fast("", order: order, fileID: fileID, line: line)
    }
}

extension StateMolecule {
    /// Makes a state of the ``JoinDefinition`` whose property this is.
    ///
    /// ```swift
    /// private let count = StateMolecule(0)
    /// ```
    ///
    /// - Parameters:
    ///   - initial: Its first value.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        let join = Join.Builder.ofProperty("StateMolecule<\(Value.self)>(…)", fileID, line)
        self = join.state("", initial, fileID: fileID, line: line)
    }
}

extension BoundedMolecule {
    /// Makes a slow molecule of the ``JoinDefinition`` whose property this is, of which at most `capacity` copies wait.
    ///
    /// ```swift
    /// let page = BoundedMolecule<Page>(capacity: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - capacity: How many copies may wait, at least 1.
    ///   - order: Which copy a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        capacity: Int,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let join = Join.Builder.ofProperty("BoundedMolecule<\(Value.self)>(capacity: …)", fileID, line)
        self = join.bounded("", capacity: capacity, order: order, fileID: fileID, line: line)
    }
}

extension Join.Builder {
    /// A builder for the definition that is being made here.
    fileprivate static func ofProperty(
        _ what: @autoclosure () -> String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Join.Builder {
        Join.Builder(Join.beingMade(at: SourceLocation(fileID: fileID, line: line), what()))
    }
}
