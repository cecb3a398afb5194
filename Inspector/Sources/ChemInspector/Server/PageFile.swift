/// A file of the page. None of them holds data, so none needs a token.
struct PageFile: Sendable {
    let type: String
    let bytes: [UInt8]

    /// The files by their paths.
    static let all: [String: PageFile] = [
        "/": PageFile(type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        "/inspector.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.inspector_css),
        "/icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "/inspector.js": script(PackageResources.inspector_js),
        "/definitions.js": script(PackageResources.definitions_js),
        "/drawing.js": script(PackageResources.drawing_js),
        "/elements.js": script(PackageResources.elements_js),
        "/rates.js": script(PackageResources.rates_js),
        "/server.js": script(PackageResources.server_js),
        "/stuck.js": script(PackageResources.stuck_js),
        "/timeline.js": script(PackageResources.timeline_js),
    ]

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
