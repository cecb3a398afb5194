import Browsing

/// The pictures of the guide "Finding out why a task is stuck", light and dark: of the example `greedy`, whose
/// philosophers wait for each other.
struct GuidePictures {
    let browser: Browser
    let address: String
    let token: String
    /// The folder with the pictures.
    let folder: String

    func take() async throws {
        try await browser.resize(1120, 640)
        try await browser.open("\(address)#\(token)")
        try await browser.wait(for: "document.querySelectorAll('#groups tbody tr').length > 5")
        let program = try await browser.text("location.hash.split('/')[1]")
        // So that the courses of the numbers show something.
        try await browser.wait(for: "document.querySelector('#tile-rate path').getAttribute('d').length > 400")
        for suffix in ["", "~dark"] {
            // From the system's theme to the light one, then to the dark one.
            try await browser.click("#theme")
            _ = try await browser.value("location.hash = '#/\(program)/calls'")
            try await browser.wait(for: "document.querySelectorAll('#calls tbody tr').length === 5")
            try await browser.click("#calls tbody tr button")
            try await browser.wait(for: "document.querySelectorAll('#details .waiters tbody tr').length > 0")
            try await browser.wait(for: "document.querySelectorAll('#details .picture svg').length === 1")
            try await browser.screenshot("\(folder)/inspector-definitions\(suffix).png")
            _ = try await browser.value("location.hash = '#/\(program)/stuck'")
            try await browser.wait(for: "document.querySelector('#stuck').innerText.includes('this is a cycle')")
            try await browser.screenshot("\(folder)/inspector-stuck\(suffix).png")
            _ = try await browser.value("location.hash = '#/\(program)/timeline'")
            try await browser.wait(for: "document.querySelectorAll('#timeline svg rect.body').length > 2")
            try await browser.screenshot("\(folder)/inspector-timeline\(suffix).png")
        }
    }
}
