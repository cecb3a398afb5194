/// Stops the program with a message at the line of the caller unless `condition` holds, even in a release build.
@inlinable
package func demand(
    _ condition: Bool,
    _ message: @autoclosure () -> String,
    _ fileID: StaticString,
    _ line: UInt
) {
    if !condition { fatalError("ChemLibrary: \(message())", file: fileID, line: line) }
}
