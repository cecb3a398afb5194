// The switch of the library.

import ChemActors
// snippet.show
import ChemLibrary

let (show, shown) = Join.define("screen") { join in
    let texts = join.state("texts", [String]())
    let show = join.slow("show", of: String.self)
    join.when(show, updating: texts) { texts, text in texts.append(text) }
    return (show, texts.reader)
}

let lock = Switch(isOn: true)
print(try await lock.inject(show, "shown"))  // true

try await lock.off()
print(try await lock.inject(show, "not shown"))  // false
lock.request(show, "not shown either") { print("refused") }  // from synchronous code, too
// snippet.hide
while shown.value.isEmpty { await Task.yield() }
precondition(shown.value == ["shown"])
