/// Stops the program, since a recipe was asked for what can't be: says what, and where the user's code asked for it.
@usableFromInline
func misuse(_ message: String, _ fileID: StaticString, _ line: UInt) -> Never {
    fatalError("ChemLibrary: \(message) (\(fileID):\(line))", file: fileID, line: line)
}
