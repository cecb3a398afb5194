/// All examples.
package enum Gallery {
    package static let all: [Example] = [
        philosophers
    ]

    /// The example of this name.
    package static func example(named name: String) -> Example? {
        all.first { $0.name == name }
    }
}
