/// Baselines with a task for each piece of work.
enum TaskRows {
    static let all = [
        Row("baseline/taskgroup-mapreduce", 100_000, quick: 100_000) { count in
            let start = ContinuousClock.now
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 1...count { group.addTask { number * number } }
                return await group.reduce(0, +)
            }
            let measurement = Measurement.since(start)
            try expect("the sum of squares", sum, is: MapReduceRows.sumOfSquares(count))
            return measurement
        },
        Row("baseline/taskgroup-child", 100_000, quick: 20_000) { count in
            let start = ContinuousClock.now
            let ended = await withTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask {} }
                return await group.reduce(0) { ended, _ in ended + 1 }
            }
            let measurement = Measurement.since(start)
            try expect("the children that ended", ended, is: count)
            return measurement
        },
    ]
}
