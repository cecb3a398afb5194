import Foundation

/// Draws the definitions of the documentation, each as it is when everything has happened in it:
///
/// ```
/// draw-pictures            lists every picture that differs, is missing or is left over, and fails if there is one
/// draw-pictures --write    writes the pictures, and removes those that are left over
/// ```
///
/// Nothing is drawn by hand. The definitions of snippets are drawn by the snippets, which are programs beside this one;
/// those of the library are made and used here.
@main
struct DrawPictures {
    static func main() async throws {
        let mustWrite = CommandLine.arguments.dropFirst() == ["--write"]
        guard mustWrite || CommandLine.arguments.count == 1 else { stop("usage: draw-pictures [--write]") }
        let catalogues = [
            Catalogue("Sources/ChemActors/ChemActors.docc", try Samples.draw()),
            Catalogue("Sources/ChemLibrary/ChemLibrary.docc", try await Recipes.draw()),
        ]
        var problems: [String] = []
        for catalogue in catalogues {
            if mustWrite { try catalogue.write() }
            problems += try catalogue.problems()
        }
        for problem in problems { print(problem) }
        if !problems.isEmpty { stop("The pictures are drawn anew by: draw-pictures --write") }
        print("\(catalogues.reduce(0) { $0 + $1.pictures.count }) pictures are as their definitions are")
    }

    static func stop(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }
}
