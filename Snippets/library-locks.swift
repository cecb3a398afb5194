// The locks of the library.

import ChemActors
import ChemLibrary

@concurrent func fetch(_ page: Int) async throws -> Int {
    await Task.yield()
    return page
}

// snippet.semaphore
let connections = AsyncSemaphore(permits: 4)
let downloads = (1...20).map { page in
    Task { try await connections.withPermit { try await fetch(page) } }  // four at a time
}
var pages = 0
for download in downloads { pages += try await download.value }
print(pages)  // 210
// snippet.end
precondition(pages == 210)

// snippet.signal
let finished = AsyncSemaphore(permits: 0)
let callback: @Sendable () -> Void = { finished.release() }  // synchronous code may release
callback()
try await finished.acquire()
print(finished.tryAcquire())  // false
// snippet.end
precondition(!finished.tryAcquire())

struct Session {
    var token = ""
}

@concurrent func renew() async -> String { "fresh" }

// snippet.mutex
let session = AsyncMutex(Session())
let token = try await session.withLock { session in
    if session.token.isEmpty { session.token = await renew() }  // nobody else gets in meanwhile
    return session.token
}
print(token)  // fresh
// snippet.end
precondition(token == "fresh")

// snippet.read-write
let index = ReadWriteLock()
async let one = index.withReadLock { try await fetch(1) }
async let two = index.withReadLock { try await fetch(2) }  // beside the first
try await index.withWriteLock { _ = try await fetch(0) }  // alone
print(try await one + two)  // 3
// snippet.end

// snippet.condition
let stock = Condition(0)
async let order: Void = stock.update(when: { $0 >= 3 }) { $0 -= 3 }  // waits until there are three
for _ in 1...5 { try await stock.update { $0 += 1 } }
try await order
print(try await stock.wait { $0 < 3 })  // 2
// snippet.end
let rest = try await stock.wait { _ in true }
precondition(rest == 2)
