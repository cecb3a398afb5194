/// What a recorder writes down of the argument of a call.
final class CallDescription: Sendable {
    let text: String

    init(text: String) { self.text = text }
}
