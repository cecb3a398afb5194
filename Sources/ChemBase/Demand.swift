/// Stops the program, at the line of the caller, unless `condition` holds: also in a release build, and with a text.
@inlinable
package func demand(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    _ fileID: StaticString,
    _ line: UInt
) {
    if !condition { fatalError("ChemLibrary: \(message())", file: fileID, line: line) }
}
