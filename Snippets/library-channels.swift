// The channels of the library.

import ChemActors
import ChemLibrary

// snippet.channel
let numbers = JoinChannel<Int>(capacity: 16)
let producer = Task {
    for number in 1...100 { try await numbers.send(number) }  // waits while 16 numbers lie there
    numbers.close()
}
var sum = 0
for await number in numbers { sum += number }  // ends when the channel is closed and empty
print(sum)  // 5050
// snippet.end
precondition(sum == 5_050)
try await producer.value

// snippet.try
let events = JoinChannel<String>(capacity: 2)
print(events.trySend("one"), events.trySend("two"), events.trySend("three"))  // true true false
print(events.tryReceive() ?? "-")  // one
// snippet.end

// snippet.select
enum Input {
    case key(Character), tick(Int)
}

let keys = JoinChannel<Character>.unbounded()
let ticks = JoinChannel<Int>.unbounded()
for key in "abc" { _ = keys.trySend(key) }
for tick in 1...3 { _ = ticks.trySend(tick) }
keys.close()
ticks.close()

let inputs = Select(.from(keys) { Input.key($0) }, .from(ticks) { Input.tick($0) })
var count = 0
while let input = try await inputs.receive() {  // one value each time, in random turn
    print(input)
    count += 1
}
// snippet.end
precondition(count == 6)

// snippet.priority
let jobs = PriorityQueue<Int, String>()
jobs.put("back up", priority: 1)
jobs.put("ring the alarm", priority: 9)
print(try await jobs.take())  // ring the alarm
// snippet.end
let left = try await jobs.take()
precondition(left == "back up")
