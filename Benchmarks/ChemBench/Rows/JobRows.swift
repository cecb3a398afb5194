import ChemLibrary

/// Many synchronous jobs, run by the recipe of the library and by a task group.
enum JobRows {
    static let all = [
        Row("runall/1e5", 100_000, quick: 100_000, against: "baseline/taskgroup-runall") { count in
            let jobs = makeJobs(count)
            let start = ContinuousClock.now
            let results = try await runAll(jobs)
            let measurement = Measurement.since(start)
            try check(results, count)
            return measurement
        }
    ]

    static let baselines = [
        Row("baseline/taskgroup-runall", 100_000, quick: 100_000) { count in
            let jobs = makeJobs(count)
            let start = ContinuousClock.now
            let results = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (index, job) in jobs.enumerated() { group.addTask { (index, try job()) } }
                var results = [Int](repeating: 0, count: jobs.count)
                for try await (index, result) in group { results[index] = result }
                return results
            }
            let measurement = Measurement.since(start)
            try check(results, count)
            return measurement
        }
    ]

    private static func makeJobs(_ count: Int) -> [@Sendable () throws -> Int] {
        (0..<count).map { number in { number &* 3 } }
    }

    private static func check(_ results: [Int], _ count: Int) throws {
        try expect("the number of results", results.count, is: count)
        for (index, result) in results.enumerated() where result != index * 3 {
            try expect("the result of job \(index)", result, is: index * 3)
        }
    }
}
