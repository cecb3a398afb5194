// What has happened, event by event.

import ChemActors
// snippet.hide
import Foundation

// snippet.show
let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .full()))
let (increment, value) = machine.define("counter") { join in
    let count = join.state("count", 0)
    let increment = join.slow("increment")
    let value = join.fast("value", returning: Int.self)
    join.when(increment, updating: count) { n, _ in n += 1 }
    join.answer(value, reading: count) { n, _ in n }
    return (increment, value)
}
for _ in 0..<3 { increment() }
try await machine.quiescence()

let recording = machine.recording()
print(recording)
// snippet.hide
let folder = NSTemporaryDirectory() + "chem-\(UUID().uuidString)"
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
let (run, trace) = (folder + "/run.chem", folder + "/run.pftrace")
// snippet.show
try recording.write(to: run)  // read it again with Recording(contentsOf: run)
try recording.writePerfetto(to: trace)  // open it at ui.perfetto.dev
// snippet.hide
precondition(recording.events.count { $0.kind == .started } == 3)
let read = try Recording(contentsOf: run)
precondition(read.events == recording.events)
extendLifetime(value)
