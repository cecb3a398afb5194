// Time-out, throttle, debounce, rate limit.

import ChemActors
// snippet.show
// snippet.timeout
import ChemLibrary

do {
    try await withTimeout(.milliseconds(20)) { try await Task.sleep(for: .seconds(60)) }
} catch is TimedOut {
    print("cancelled, and awaited")
}
// snippet.end

// snippet.hide
let (show, shown) = Join.define("screen") { join in
    let numbers = join.state("numbers", [Int]())
    let show = join.slow("show", of: Int.self, order: .oldestFirst)
    join.when(show, updating: numbers) { numbers, number in numbers.append(number) }
    return (show, numbers.reader)
}
// snippet.show
// snippet.throttle
let throttle = Throttle(every: .milliseconds(20), to: show)  // `show` is a slow molecule
for number in 1...3 { throttle.send(number) }  // it gets them 20 ms apart
// snippet.end

// snippet.debounce
let debounce = Debounce(for: .milliseconds(50), to: show)  // `show` is a slow molecule
for number in 4...6 { debounce.send(number) }  // it gets 6, after 50 ms
// snippet.end
// snippet.hide
while shown.value.count < 4 { await Task.yield() }
precondition(shown.value.filter { $0 < 4 } == [1, 2, 3] && shown.value.contains(6))
// snippet.show

// snippet.rate
let limit = RateLimit(5, per: .milliseconds(50))
for _ in 1...10 {
    try await limit.acquire()  // never more than five times within 50 ms
}
// snippet.end
