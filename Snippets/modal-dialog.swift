// A body on the main actor that runs a loop of its own, as a modal dialog does, doesn't hold up the others there.

import ChemActors
import Foundation

/// A dialog that runs a loop of its own until it is closed.
@MainActor enum Dialog {
    static var isShown = false

    static func showModally() {
        isShown = true
        while isShown { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    }
}

// snippet.show
let (show, close) = Join.define("dialog", on: MainActor.self) { join in
    let show = join.slow("show")
    let close = join.slow("close")

    join.when(show) { _ in
        MainActor.assumeIsolated { Dialog.showModally() }  // returns when the dialog is closed
    }
    join.when(close) { _ in
        MainActor.assumeIsolated { Dialog.isShown = false }
    }
    return (show, close)
}

let ticks = Join.define("clock", on: MainActor.self) { join in
    let tick = join.slow("tick")
    let count = join.state("count", 0)
    join.when(tick, updating: count) { count, _ in
        count += 1
        print("tick \(count)")
        if count == 3 { close() }  // while the dialog is shown
    }
    return tick
}
// snippet.hide

// The event of a user, outside of all callbacks of the main queue.
nonisolated(unsafe) var isOver = false
let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
    Thread.detachNewThread {
        for _ in 1...3 {
            usleep(2_000)
            ticks()
        }
    }
    show()
    isOver = true
}
RunLoop.main.add(timer, forMode: .default)
let deadline = Date(timeIntervalSinceNow: 30)
while !isOver, Date() < deadline { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
precondition(isOver, "the dialog has held up the clock")
