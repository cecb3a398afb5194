extension String {
    /// The text as [Mermaid](https://mermaid.js.org) shows it, without what it reads as something else.
    ///
    /// - Parameter special: The characters that have a meaning where the text will stand.
    /// - Returns: the text in one line, with the codes of those characters. It is never empty, which wouldn't be read.
    package func forMermaid(without special: String) -> String {
        if allSatisfy(\.isWhitespace) { return "(no name)" }
        // By scalars: a combining mark behind a special character doesn't change what that means.
        return replacing("\r\n", with: " ").unicodeScalars.map { scalar in
            if Character(scalar).isNewline { return " " }
            guard scalar.isASCII, special.unicodeScalars.contains(scalar) else { return String(scalar) }
            return "#\(scalar.value);"
        }.joined()
    }
}
