/// Tells which task a job belongs to: the steps of a task stay in their order.
struct TaskNumbers {
    private var numbers: [String: Int] = [:]
    /// The task whose step is being taken.
    var current = 0

    mutating func number(of job: UnownedJob) -> Int {
        let name = job.description
        // A job that stands for no task is that of a task that has yielded: the current one.
        if name.hasSuffix("nil)") { return current }
        if let number = numbers[name] { return number }
        numbers[name] = numbers.count + 1
        return numbers.count
    }
}
