/// A place in a user's source, for messages: `MyModule/MyFile.swift:12`.
@usableFromInline
struct SourceLocation: Sendable, CustomStringConvertible {
    let fileID: StaticString
    let line: UInt

    @usableFromInline
    init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    @usableFromInline var description: String { "\(fileID):\(line)" }
}
