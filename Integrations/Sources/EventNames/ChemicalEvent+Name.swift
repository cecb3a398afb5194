package import ChemActors

extension ChemicalEvent.Kind {
    /// Its name, as dashboards and logs have it.
    package var name: String {
        switch self {
        case .failedReaction: "failedReaction"
        case .unanswered: "unanswered"
        case .answeredTwice: "answeredTwice"
        case .waitsForLong: "waitsForLong"
        case .runsForLong: "runsForLong"
        case .keepsThread: "keepsThread"
        case .doesNothing: "doesNothing"
        case .leadsNowhere: "leadsNowhere"
        case .searchesForLong: "searchesForLong"
        case .ignoredInjection: "ignoredInjection"
        case .dissolvedWithMolecules: "dissolvedWithMolecules"
        case .dropped: "dropped"
        case .droppedRetry: "droppedRetry"
        }
    }
}
