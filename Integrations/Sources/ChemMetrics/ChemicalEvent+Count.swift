public import ChemActors
public import CoreMetrics
import EventNames
import Synchronization

extension ChemicalEvent {
    /// A reporter that counts mishaps as the metric `chem_mishaps`, with the dimensions `definition` and `kind`, and
    /// hands each event on.
    ///
    /// There is a metric for each name of a definition that has had a mishap, and none goes: give definitions names of
    /// which there are few.
    ///
    /// ```swift
    /// ChemicalMachine.bootstrap(ChemicalMachine.Configuration(reporter: ChemicalEvent.count()))
    /// ```
    ///
    /// - Parameters:
    ///   - factory: Makes the metrics. That of `MetricsSystem` by default.
    ///   - next: Receives each event afterwards. Writes mishaps to standard error by default.
    /// - Returns: the reporter.
    public static func count(
        in factory: any MetricsFactory = MetricsSystem.factory,
        then next: @escaping @Sendable (ChemicalEvent) -> Void = ChemicalEvent.printToStandardError
    ) -> @Sendable (ChemicalEvent) -> Void {
        { event in
            if event.isMishap {
                let dimensions = [("definition", event.definition), ("kind", event.kind.name)]
                Counter(label: "chem_mishaps", dimensions: dimensions, factory: factory).increment()
            }
            next(event)
        }
    }
}
