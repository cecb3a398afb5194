import ChemActors
import ChemBase
import ChemInspection
import Foundation

/// What it costs to look into a machine.
enum InspectRows {
    static let all = [
        // For each of ten thousand definitions.
        Row("inspect/census-1e4", 10_000, quick: 10_000, against: "baseline/mutex-increment") { count in
            let machine = ChemicalMachine()
            let definitions = (0..<count).map { session($0, on: machine) }
            for definition in definitions { definition(1) }
            try await machine.quiescence()
            _ = machine.census()
            let start = ContinuousClock.now
            let census = machine.census()
            let measurement = Measurement.since(start)
            try expect("the definitions", census.definitions, is: count)
            try expect("the reactions", census.started, is: definitions.count)
            return measurement
        },
        // A whole answer about them to an inspector, as long as there is time left for it. Afterwards it is made anew
        // after a hundred times as long.
        Row("inspect/overview-1e4", 8, quick: 8) { count in
            let machine = ChemicalMachine()
            let definitions = (0..<10_000).map { session($0, on: machine) }
            for definition in definitions { definition(1) }
            try await machine.quiescence()
            let folder = "\(NSTemporaryDirectory())/chem-bench-\(Platform.process)-\(UInt32.random(in: 0...9999))"
            let publication = try machine.publish(in: folder)
            defer {
                publication.end()
                try? FileManager.default.removeItem(atPath: folder)
            }
            guard let inspector = Platform.connect(to: publication.path) else { throw NobodyListens() }
            defer { Platform.closeDescriptor(inspector) }
            let start = ContinuousClock.now
            for _ in 0..<count { try expect("that it answers", ask(inspector) > 100, is: true) }
            let measurement = Measurement.since(start)
            try expect("the definitions", machine.census().definitions, is: definitions.count)
            return measurement
        },
        // Why each of five philosophers waits, who have a fork each, beside a thousand other definitions.
        Row("inspect/explain", 100, quick: 20) { count in
            let machine = ChemicalMachine(ChemicalMachine.Configuration(patience: nil, recorder: .flight))
            let others = (0..<1000).map { session($0, on: machine) }
            let sit = table(of: 5, on: machine)
            sit.inject(contentsOf: 0..<5)
            while machine.explainStuck().calls.count < 5 { await Task.yield() }
            var roots = 0
            let start = ContinuousClock.now
            for _ in 0..<count {
                let report = machine.explainStuck()
                for call in report.calls { roots += call.causes.flatMap(\.roots).count { $0.hasSuffix("a cycle") } }
            }
            let measurement = Measurement.since(start)
            try expect("the calls in the circle", roots, is: 5 * count)
            machine.deactivate()
            withExtendedLifetime(others) {}
            return measurement
        },
    ]

    struct NobodyListens: Error {}

    /// Asks for an overview. Returns how many bytes the answer has.
    private static func ask(_ inspector: Int32) -> Int {
        _ = Platform.send(Array("{\"get\": \"overview\"}\n".utf8)[...], to: inspector)
        var count = 0
        while true {
            switch Platform.receive(from: inspector) {
            case .bytes(let bytes):
                count += bytes.count
                if bytes.last == UInt8(ascii: "\n") { return count }
            case .end: return count
            case .nothingYet:
                var watched = [Platform.Watched(inspector)]
                Platform.waitForAny(&watched)
            }
        }
    }

    /// Of fifty names.
    private static func session(_ number: Int, on machine: ChemicalMachine) -> SlowMolecule<Int> {
        machine.define("session \(number % 50)") { join in
            let request = join.slow("request", of: Int.self)
            let total = join.state("total", 0)
            join.when(request, updating: total) { total, number in total += number }
            return request
        }
    }

    /// Philosophers who take one fork after the other, once each has one.
    private static func table(of count: Int, on machine: ChemicalMachine) -> SlowMolecule<Int> {
        let forks = (0..<count).map { number in
            machine.define("fork \(number)") { join in
                let (take, free) = (join.fast("take"), join.slow("free"))
                join.answer(take, with: free) { _, _ in }
                free()
                return (take, free)
            }
        }
        return machine.define("table") { join in
            let (sit, hasOne) = (join.slow("sit", of: Int.self), join.fast("hasOne"))
            join.when(sit) { seat in
                try await forks[seat].0()
                try await hasOne()
                try await forks[(seat + 1) % count].0()
                for fork in [seat, (seat + 1) % count] { forks[fork].1() }
            }.produces(forks.map(\.1))
            join.when(count, of: hasOne) { replies in for reply in replies { reply() } }
            return sit
        }
    }
}
