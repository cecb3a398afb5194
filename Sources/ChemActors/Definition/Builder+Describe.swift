// What a recorder writes down of values: nothing, unless the definition says what.

extension Join.Builder {
    /// Says what a full recorder writes down of the values of a molecule. Without this, it writes down none.
    ///
    /// ```swift
    /// let order = join.slow("order", of: Order.self)
    /// join.describe(order) { "no. \($0.number)" }
    /// ```
    ///
    /// Then the injections of a recording have a ``Recording/Event/value``, and show it as `order(no. 17)`. Copies that
    /// are injected together are described one after the other. What goes to a part is described as the part is.
    ///
    /// On machines without a full ``EventRecorder``, the description is never made. Published machines show no values,
    /// whatever is described.
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - description: A text for the value, of which 200 characters are kept. It runs in whoever injects the value,
    ///     outside of any lock, and must not inject anything.
    public func describe<Value: Sendable>(
        _ molecule: SlowMolecule<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ description: @escaping @Sendable (Value) -> String
    ) {
        checkIsOwn(molecule, "describes (\(fileID):\(line))", fileID, line)
        guard join.observation?.followsInjections == true else { return }
        unsafeDowncast(molecule.storage.pointee.header.slot, to: SlowSlot<Value>.self).describe(description)
    }

    /// Says what a full recorder writes down of the values of a bounded molecule, as for slow ones. A value that is
    /// refused is described, and not written down.
    ///
    /// ```swift
    /// let job = join.bounded("job", of: Job.self, capacity: 10)
    /// join.describe(job) { $0.title }
    /// ```
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - description: A text for the value, of which 200 characters are kept. It runs in whoever injects the value,
    ///     outside of any lock, and must not inject anything.
    public func describe<Value: Sendable>(
        _ molecule: BoundedMolecule<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ description: @escaping @Sendable (Value) -> String
    ) {
        describe(molecule.item, fileID: fileID, line: line, description)
        describe(molecule.put, fileID: fileID, line: line, description)
    }

    /// Says what a full recorder writes down of the arguments of a fast molecule's calls that wait.
    ///
    /// ```swift
    /// let withdraw = join.fast("withdraw", of: Int.self, returning: Bool.self)
    /// join.describe(withdraw) { "\($0) €" }
    /// ```
    ///
    /// A call that is answered at once is no event of its own.
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - description: A text for the argument, of which 200 characters are kept. It runs in the caller, outside of
    ///     any lock, and must not inject anything.
    public func describe<Argument: Sendable, Answer: Sendable>(
        _ molecule: FastMolecule<Argument, Answer>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ description: @escaping @Sendable (Argument) -> String
    ) {
        guard molecule.storage.pointee.header.soup == join.soup else {
            fatalError(
                "ChemActors: definition '\(join.name)' describes (\(fileID):\(line)) '\(molecule)', which belongs to another definition",
                file: fileID,
                line: line
            )
        }
        guard join.observation?.followsInjections == true else { return }
        unsafeDowncast(molecule.slot, to: FastSlot<Argument, Answer>.self).describe(description)
    }
}
