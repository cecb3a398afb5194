import Foundation

/// Measures rows in turns: the row, its partners, the row, its partners, …
struct Runner {
    /// So many samples show whether one is an exception.
    private static let fewest = 5

    private let samples: Int
    private let timeForRow: Duration?
    private let isQuick: Bool
    private let progress = Progress()
    private let watchdog = Watchdog()

    init(_ options: Options) {
        samples = options.samples
        timeForRow = options.timeForRow
        isQuick = options.isQuick
    }

    /// The results of all rows that took part, in the order of the catalogue. `show` gets the result of each turn as
    /// it comes.
    func results(of turns: [Turn], show: (RowResult) -> Void) async throws -> [RowResult] {
        var ledger = Ledger()
        for (index, turn) in turns.enumerated() {
            progress.show("\(index + 1)/\(turns.count) \(turn.subject.name)")
            let begin = ContinuousClock.now
            for participant in turn.participants { _ = try await sample(participant) }
            for round in 0..<samples {
                if let timeForRow, round >= Self.fewest, ContinuousClock.now - begin >= timeForRow { break }
                var values: [Measurement] = []
                for participant in turn.participants { values.append(try await sample(participant)) }
                ledger.enter(values, of: turn)
            }
            progress.clear()
            let count = turn.subject.count(isQuick: isQuick)
            if let result = ledger.result(of: turn.subject, count: count) { show(result) }
        }
        return Catalogue.rows.compactMap { ledger.result(of: $0, count: $0.count(isQuick: isQuick)) }
    }

    /// What one operation of `row` takes.
    private func sample(_ row: Row) async throws -> Measurement {
        let count = row.count(isQuick: isQuick)
        watchdog.expectEnd(of: row.name)
        defer { watchdog.expectNothing() }
        do {
            // Detached: the task of the runner may not be what a row is measured in.
            return try await Task.detached { try await row.work(count).each(of: count) }.value
        } catch {
            progress.clear()
            throw WrongResult(description: "\(row.name): \(error)")
        }
    }
}

/// A row and the rows that it is compared with.
struct Turn {
    let subject: Row
    let partners: [Row]

    var participants: [Row] { [subject] + partners }
}

/// What has been measured so far.
private struct Ledger {
    private var own: [String: [Double]] = [:]
    private var asPartner: [String: [Double]] = [:]
    private var ratios: [String: [String: [Double]]] = [:]

    mutating func enter(_ round: [Measurement], of turn: Turn) {
        own[turn.subject.name, default: []] += round[0].samples
        for (partner, value) in zip(turn.partners, round.dropFirst()) {
            asPartner[partner.name, default: []] += value.samples
            ratios[turn.subject.name, default: [:]][partner.name, default: []].append(round[0].total / value.total)
        }
    }

    /// A row that had a turn has the samples of that turn; another one those that it gave as a partner.
    func result(of row: Row, count: Int) -> RowResult? {
        guard let samples = own[row.name] ?? asPartner[row.name] else { return nil }
        return RowResult(
            row: row,
            operations: count,
            samples: samples,
            ratios: (ratios[row.name] ?? [:]).mapValues { Distribution($0).median }
        )
    }
}

extension Measurement {
    /// The same for one of `count` operations.
    fileprivate func each(of count: Int) -> Measurement { Measurement(total: total / Double(count), latencies) }

    private init(total: Double, _ latencies: [Double]) {
        self.total = total
        self.latencies = latencies
    }

    fileprivate var samples: [Double] { latencies.isEmpty ? [total] : latencies }
}
