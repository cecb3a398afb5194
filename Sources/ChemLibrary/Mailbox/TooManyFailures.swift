/// An actor has failed more often than it may be restarted.
struct TooManyFailures: Error, CustomStringConvertible {
    let limit: RestartLimit
    let lost: Int

    var description: String {
        let messages =
            switch lost {
            case 0: ""
            case 1: ", and a message that it hadn't handled is lost"
            default: ", and \(lost) messages that it hadn't handled are lost"
            }
        let times = limit.count == 1 ? "1 time" : "\(limit.count) times"
        return "it may be restarted \(times) within \(limit.window), so the actor has ended\(messages)"
    }
}
