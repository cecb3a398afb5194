import FieldReport

/// Results that fit the reasons of the catalogue.
enum Sample {
    static let results = Results(
        environment: Environment(
            date: "2026-11-24",
            commit: "0123456789ab",
            cpu: "a processor",
            cores: 2,
            system: "a system",
            rounds: 3,
            repetitions: 3
        ),
        versions: [.chem: "ChemActors", .swift: "Swift", .go: "Go 1", .erlang: "Erlang/OTP 1"],
        rows: Catalogue.works.flatMap { work in
            let own = row(work.name, .chem, work.name == "create" ? "MailboxActor" : "ours", 100)
            return work.name == "call" ? [own, row(work.name, .swift, "actor", 1_000)] : [own]
        }
    )

    static func row(_ work: String, _ language: Language, _ variant: String, _ nanoseconds: Double) -> Row {
        Row(
            work: work,
            language: language,
            variant: variant,
            operations: 1_000,
            oneCore: Figures([nanoseconds]),
            allCores: Figures([nanoseconds])
        )
    }
}
