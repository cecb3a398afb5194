// Bodies that suspend, and bodies on the main actor.

import ChemActors

// snippet.bodies
@MainActor final class Gallery {
    var files: [String] = []
}
let gallery = Gallery()

let (load, definition) = Join.define("images") { join in
    let load = join.slow("load", of: String.self)
    let loaded = join.slow("loaded", of: String.self)

    join.when(load) { name in
        try await Task.sleep(for: .milliseconds(5))  // suspends the task, not a thread
        loaded("\(name).png")
    }
    join.when(loaded, on: MainActor.self) { file in
        gallery.files.append(file)
    }

    return (load, join.definition)
}

load("fork")
load("knife")
try await definition.quiescence()
print(gallery.files.sorted())  // ["fork.png", "knife.png"]
// snippet.end
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
