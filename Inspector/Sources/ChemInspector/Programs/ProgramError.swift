/// Why a program hasn't answered.
enum ProgramError: Error, Hashable {
    /// Nobody listens, or the connection has ended.
    case isGone
    /// Somebody listens, but hasn't answered in time: the program may be stopped.
    case isSilent
    /// The answer is longer than what is read.
    case isTooLong(limit: Int)
    /// It is no JSON object.
    case isGarbage
    /// The system doesn't let us connect.
    case isUnreachable(String)
}
