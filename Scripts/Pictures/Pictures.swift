// Pictures for the documentation, made by the snippets that it shows. `Scripts/draw-snippets` compares them with those
// in the catalogues, or writes them there. A snippet that is run by hand makes none.

import ChemActors
import Dispatch
import Foundation
import Synchronization

/// Has the definition called `definition`, on the shared machine, drawn as `name`.svg when the program ends, with all
/// that its bodies have been seen to make by then.
///
/// - Parameters:
///   - definition: Its name. The youngest one is meant.
///   - holder: What keeps it alive until then.
///   - name: The name of the picture.
public func keepPicture(of definition: String, held holder: some Sendable, as name: String) {
    guard let folder = ProcessInfo.processInfo.environment["CHEMACTORS_PICTURES"] else { return }
    guard let join = ChemicalMachine.shared.youngestDefinition(named: definition) else {
        fatalError("there is no definition '\(definition)' to draw")
    }
    let isFirst = Pictures.all.withLock { pictures in
        pictures.append(Pictures.Picture(path: "\(folder)/\(name).svg", join: join, holder: holder))
        return pictures.count == 1
    }
    if isFirst { atexit { Pictures.draw() } }
}

private enum Pictures {
    struct Picture: Sendable {
        let path: String
        let join: Join
        let holder: any Sendable
    }

    static let all = Mutex<[Picture]>([])

    /// Draws all of them, once nothing happens any more.
    static func draw() {
        let isQuiet = DispatchSemaphore(value: 0)
        Task.detached {
            try? await ChemicalMachine.shared.quiescence()
            isQuiet.signal()
        }
        isQuiet.wait()
        for picture in all.withLock(\.self) {
            let text = picture.join.drawing.numberingReactions().svg + "\n"
            do {
                try text.write(toFile: picture.path, atomically: true, encoding: .utf8)
            } catch {
                fatalError("\(picture.path) can't be written: \(error)")
            }
            withExtendedLifetime(picture.holder) {}
        }
    }
}
