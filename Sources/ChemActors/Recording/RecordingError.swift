/// Why a recording can't be read or written.
public enum RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It isn't a recording, or one of another version of the format.
    case isNoRecording
    /// It ends before it is complete.
    case endsEarly(offset: Int)
    /// Something in it can't be.
    case isDamaged(String, offset: Int)
    /// The system doesn't let the file be read or written. `code` is its error number.
    case fileFailed(path: String, code: Int32)

    /// What is wrong, and where.
    public var description: String {
        switch self {
        case .isNoRecording: "this is no recording of version 2: it doesn't begin with 'CHEMREC2'"
        case .endsEarly(let offset): "the recording ends early, at byte \(offset)"
        case .isDamaged(let what, let offset): "the recording is damaged at byte \(offset): \(what)"
        case .fileFailed(let path, let code): "'\(path)' can't be read or written (error \(code) of the system)"
        }
    }
}
