// Lets chem-inspector look into a program.

import ChemActors
// snippet.show
import ChemInspection

let publication = try ChemicalMachine.shared.publish(as: "shop")
// snippet.hide
precondition(publication.path.contains("shop"))
publication.end()
