import ChemActors

/// An actor has failed more often than it may be restarted.
struct TooManyFailures: Finding {
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
        return "has failed once more, and may be restarted \(times) within \(limit.window), so it has ended\(messages)"
    }
}
