import Browsing

/// What somebody does with the page, in this order, and what must come of it.
struct Tour {
    let browser: Browser
    let address: String
    let token: String
    /// The published program's identifier.
    let program: String
    let pictures: String?

    private enum Key {
        static let enter = "\u{E007}", escape = "\u{E00C}", down = "\u{E015}", right = "\u{E014}", space = " "
    }

    /// - Parameter end: Ends the program that is looked at.
    /// - Throws: What isn't as it should be.
    func walk(_ end: () -> Void) async throws {
        try await arrive()
        try await lookIntoSessions()
        try await keys()
        try await pause()
        try await findOldestCalls()
        try await seeTimeline()
        try await askWhyStuck()
        try await survivesNames()
        try await isDark()
        try await isNarrow()
        try await openRecording()
        try await programEnds(end)
        try await withoutToken()
        let complaints = try await browser.complaints().filter { !$0.contains("Failed to load resource") }
        guard complaints.isEmpty else { throw Browser.Failure(description: complaints.joined(separator: "\n")) }
    }

    private func say(_ text: String) { print("  \(text)") }

    private func picture(_ name: String) async throws {
        if let pictures { try await browser.screenshot("\(pictures)/\(name).png") }
    }

    private func expect(_ expression: String) async throws {
        guard try await browser.value(expression) as? Bool == true else {
            throw Browser.Failure(
                description: "not so: \(expression)\n\(try await browser.text("document.body.innerText"))"
            )
        }
    }

    private func arrive() async throws {
        try await browser.open("\(address)#\(token)")
        try await browser.wait(for: "document.querySelectorAll('#groups tbody tr').length > 50")
        let paint = try await browser.value("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        say("first paint after \(paint) ms")
        guard (paint as? Double ?? .infinity) <= 200 else { throw Browser.Failure(description: "that is late") }
        try await expect("!location.href.includes('\(token)')")
        // What was named on the command line comes first.
        try await expect("document.querySelector('#status').textContent.includes('a recording of')")
        try await browser.wait(for: "document.querySelectorAll('#programs option').length === 2")
        _ = try await browser.value("location.hash = '#/\(program)/definitions'")
        try await browser.wait(for: "document.querySelector('#tile-definitions b').textContent === '10,006'")
        try await browser.wait(for: "Number(document.querySelector('#tile-rate b').textContent.replace(',', '')) > 100")
        try await browser.wait(for: "document.querySelector('#tile-rate path').getAttribute('d').length > 12")
        try await picture("definitions")
    }

    private func lookIntoSessions() async throws {
        say("filter, arrows, Enter, a member, Esc")
        try await browser.press("/")
        try await browser.wait(for: "document.activeElement.id === 'filter'")
        try await browser.press("session 7")
        try await browser.wait(for: "document.querySelectorAll('#groups tbody tr').length === 1")
        try await browser.press(Key.escape)
        try await browser.press(Key.down)
        try await expect("document.activeElement.textContent === 'session 7'")
        try await browser.press(Key.enter)
        try await browser.wait(for: "document.querySelector('#details .picture svg text')")
        try await browser.wait(for: "document.querySelectorAll('#details .members tbody tr').length === 100")
        try await expect("document.querySelector('#details .rest').textContent.includes('100 others')")
        // A body of each definition was looked at before the first question, the next one is its 65th.
        try await browser.wait(for: "document.querySelector('#details .latencies').textContent.includes('99 of 100')")
        try await picture("group")
        try await browser.click("#details .members tbody tr:nth-child(1) button")
        try await browser.wait(for: "document.querySelectorAll('#details .molecules tbody tr').length === 2")
        try await browser.wait(for: "document.querySelectorAll('#details ol.events li').length > 3")
        try await picture("definition")
        try await browser.press(Key.escape)
        try await browser.wait(for: "document.querySelector('#details .hint')")
        try await browser.press("/")
        try await browser.wait(for: "document.activeElement.id === 'filter'")
        _ = try await browser.value("(filter.value = '', filter.dispatchEvent(new Event('input')))")
        try await browser.press(Key.escape)
        try await browser.wait(for: "document.querySelectorAll('#groups tbody tr').length > 50")
        say("sorting")
        try await browser.click("#groups th[data-column=definitions] button")
        try await expect("document.querySelector('#groups tbody tr td:nth-child(2)').textContent === '200'")
        try await browser.click("#groups th[data-column=definitions] button")
        try await expect("document.querySelector('#groups tbody tr td:nth-child(2)').textContent === '1'")
        try await browser.click("#groups th[data-column=definitions] button")
        try await expect("!document.querySelector('#groups th[aria-sort]')")
    }

    private func keys() async throws {
        say("keys")
        _ = try await browser.value("document.activeElement.blur()")
        try await browser.press("?")
        try await browser.wait(for: "document.querySelector('#keys').open")
        // Not for what is behind the dialog.
        try await browser.press("4")
        try await expect("document.querySelector('#tab-definitions').ariaSelected === 'true'")
        try await browser.click("#keys button")
        try await browser.wait(for: "!document.querySelector('#keys').open")
        try await browser.click("#help")
        try await browser.wait(for: "document.querySelector('#keys').open")
        try await browser.press(Key.escape)
        try await browser.wait(for: "!document.querySelector('#keys').open")
        let address = try await browser.text("location.href")
        _ = try await browser.value("document.querySelector('.skip').click()")
        try await expect("document.activeElement.id === 'content'")
        try await expect("location.href === '\(address)'")
    }

    private func pause() async throws {
        say("pause, and on")
        let started = "document.querySelector('#tile-rate path').getAttribute('d')"
        _ = try await browser.value("document.activeElement.blur()")
        try await browser.press(Key.space)
        try await browser.wait(for: "document.querySelector('#status').textContent.includes('stopped')")
        let before = try await browser.text(started)
        // Four rounds that don't come.
        _ = try await browser.wait(for: "(window.since ??= performance.now()) < performance.now() - 800")
        let after = try await browser.text(started)
        guard before == after else { throw Browser.Failure(description: "the numbers haven't stopped") }
        try await browser.press(Key.space)
        try await browser.wait(for: "document.querySelector('#status').textContent.includes('live')")
        try await browser.wait(for: "\(started) !== '\(before)'")
    }

    private func findOldestCalls() async throws {
        say("oldest calls")
        try await browser.press("2")
        try await browser.wait(for: "document.querySelectorAll('#calls tbody tr').length === 3")
        try await expect("document.querySelector('#calls').innerText.includes('letter box.collect')")
        try await picture("calls")
        try await browser.click("#calls tbody tr button")
        try await browser.wait(for: "document.querySelectorAll('#details .waiters tbody tr').length === 1")
    }

    private func seeTimeline() async throws {
        say("timeline")
        try await browser.press("3")
        try await browser.wait(for: "document.querySelectorAll('#timeline svg rect.body').length > 20")
        try await browser.wait(for: "document.querySelectorAll('#timeline ol.events li').length === 200")
        try await picture("timeline")
    }

    private func askWhyStuck() async throws {
        say("why stuck")
        try await browser.press(Key.right)
        try await browser.wait(for: "document.querySelectorAll('#stuck details').length === 3")
        let text = try await browser.text("document.querySelector('#stuck').innerText")
        for part in [
            "letter box.collect", "lacks deliver", "lock A.take", "lock B.take", "this is a cycle", "Workshop.swift:",
        ] {
            guard text.contains(part) else { throw Browser.Failure(description: "it doesn't say \(part):\n\(text)") }
        }
        try await picture("stuck")
    }

    /// Names are shown as they are, and do nothing.
    private func survivesNames() async throws {
        say("names with markup")
        try await browser.press("1")
        _ = try await browser.value("(filter.value = 'onerror', filter.dispatchEvent(new Event('input')))")
        try await browser.wait(for: "document.querySelectorAll('#groups tbody tr').length === 1")
        try await browser.click("#groups tbody tr button")
        try await browser.wait(
            for: "document.querySelector('#details h2').textContent === '<img src=x onerror=alert(1)>'"
        )
        try await browser.wait(for: "document.querySelector('#details .picture svg').textContent.includes('<script>')")
        try await expect("!document.querySelector('main img, main script')")
        _ = try await browser.value("(filter.value = '', filter.dispatchEvent(new Event('input')))")
    }

    private func isDark() async throws {
        say("dark")
        try await browser.click("#theme")
        try await browser.click("#theme")
        try await expect("getComputedStyle(document.querySelector('main')).backgroundColor === 'rgb(22, 25, 29)'")
        try await browser.click("#tab-stuck")
        try await browser.wait(for: "document.querySelectorAll('#stuck details').length === 3")
        try await picture("dark")
        try await browser.click("#theme")
    }

    private func isNarrow() async throws {
        say("narrow")
        try await browser.resize(600, 900)
        for tab in ["definitions", "calls", "timeline", "stuck"] {
            try await browser.click("#tab-\(tab)")
            try await browser.wait(for: "!document.querySelector('#\(tab)').hidden")
            try await expect("document.documentElement.scrollWidth <= innerWidth")
        }
        try await picture("narrow")
        try await browser.resize(1400, 900)
    }

    private func openRecording() async throws {
        say("a recording")
        try await browser.wait(for: "document.querySelectorAll('#programs option').length === 2")
        _ = try await browser.value(
            "(programs.value = [...programs.options].find(option => option.value !== '\(program)').value, programs.dispatchEvent(new Event('change')))"
        )
        try await browser.wait(for: "document.querySelector('#status').textContent.includes('a recording of')")
        try await browser.click("#tab-timeline")
        try await browser.wait(for: "document.querySelector('#timeline .bar').innerText.includes('events')")
        try await browser.click("#timeline .bar button")
        try await browser.wait(for: "document.querySelectorAll('#timeline ol.events li').length === 200")
        try await picture("recording")
        _ = try await browser.value("history.back()")
    }

    private func programEnds(_ end: () -> Void) async throws {
        say("the program ends")
        _ = try await browser.value("location.hash = '#/\(program)/definitions'")
        try await browser.wait(for: "document.querySelector('#status').textContent.includes('live')")
        end()
        try await browser.wait(for: "document.querySelector('#notice').textContent.includes('This program has ended')")
        try await expect("document.querySelectorAll('#groups tbody tr').length > 50")
        try await picture("ended")
    }

    private func withoutToken() async throws {
        say("without the token")
        _ = try await browser.value("sessionStorage.clear()")
        try await browser.open("\(address)#/")
        _ = try await browser.value("location.reload()")
        try await browser.wait(for: "document.querySelector('#notice').textContent.includes('may not look')")
        // It asks again now and then only.
        _ = try await browser.value("performance.clearResourceTimings()")
        try await browser.wait(for: "(window.moment ??= performance.now()) < performance.now() - 2000")
        try await expect("performance.getEntriesByType('resource').length <= 3")
    }
}
