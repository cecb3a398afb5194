import Foundation

/// One line on standard error that says what is being measured, if somebody can see it.
struct Progress: Sendable {
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ text: String) { write("\r\u{1B}[K\(text)") }

    func clear() { write("\r\u{1B}[K") }

    private func write(_ text: String) {
        if isVisible { FileHandle.standardError.write(Data(text.utf8)) }
    }
}
