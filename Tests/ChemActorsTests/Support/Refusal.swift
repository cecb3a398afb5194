import Testing

/// Expects the text of a refusal on standard error: all of `parts`, one after the other.
func expectRefusal(
    _ parts: String...,
    in result: ExitTest.Result?,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
    let result = try #require(result, sourceLocation: sourceLocation)
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    var rest = Substring(output)
    for part in parts {
        let range = try #require(
            rest.firstRange(of: part),
            "no '\(part)' in its place in: \(output)",
            sourceLocation: sourceLocation
        )
        rest = rest[range.upperBound...]
    }
}
