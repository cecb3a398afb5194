extension String {
    /// The text as [Mermaid](https://mermaid.js.org) shows it, without what it reads as something else.
    ///
    /// - Parameter special: The characters that have a meaning where the text will stand.
    /// - Returns: the text in one line, with the codes of those characters.
    package func forMermaid(without special: String) -> String {
        map { character in
            if character.isNewline { return " " }
            guard special.contains(character), let code = character.asciiValue else { return String(character) }
            return "#\(code);"
        }.joined()
    }
}
