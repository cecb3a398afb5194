// A definition whose bodies run on the main thread, and a body that blocks.

import ChemActors

// snippet.designated
@MainActor final class Label {
    var text = ""
}
let label = Label()

let (typed, erased) = Join.define("editor", on: MainActor.self) { join in
    let text = join.state("text", "")
    let typed = join.slow("typed", of: String.self)
    let erased = join.slow("erased")

    join.when(typed, updating: text) { text, letters in
        text += letters
        let shown = text
        MainActor.assumeIsolated { label.text = shown }
    }
    join.when(erased, updating: text) { text, _ in
        text = ""
        MainActor.assumeIsolated { label.text = "" }
    }
    return (typed, erased)
}

typed("chem")  // on the main thread: the label has changed when this returns
typed("istry")
print(label.text)  // chemistry
// snippet.end
precondition(label.text == "chemistry")
erased()
precondition(label.text == "")

// snippet.blocking
let (read, contents) = Join.define("files") { join in
    let read = join.slow("read", of: String.self)
    let content = join.slow("content", of: Int.self)
    let contents = join.fast("contents", returning: Int.self)

    join.when(read, on: BlockingExecutor.shared) { path in
        content(readSlowly(path))  // blocks a thread of its own
    }
    join.answer(contents, with: content) { _, size in size }
    return (read, contents)
}

read("a long file")
print(try await contents())  // 11
// snippet.end

@available(*, noasync)
nonisolated func readSlowly(_ path: String) -> Int { path.utf8.count }
