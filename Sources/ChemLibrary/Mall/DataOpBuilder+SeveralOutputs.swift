// Functions with two to six results, by their number: a parameter pack can't take a tuple apart.

import Flow

extension DataOpBuilder {
    /// The first of two outputs, which may also hold nil.
    public static func buildPartialBlock<A, B>(accumulated: DataOpFunction<(A, B)>, next: OutputNode<A?>)
        -> DataOpOutputs<B>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of three outputs, which may also hold nil.
    public static func buildPartialBlock<A, B, C>(accumulated: DataOpFunction<(A, B, C)>, next: OutputNode<A?>)
        -> DataOpOutputs<B, C>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of four outputs, which may also hold nil.
    public static func buildPartialBlock<A, B, C, D>(accumulated: DataOpFunction<(A, B, C, D)>, next: OutputNode<A?>)
        -> DataOpOutputs<B, C, D>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of five outputs, which may also hold nil.
    public static func buildPartialBlock<A, B, C, D, E>(
        accumulated: DataOpFunction<(A, B, C, D, E)>,
        next: OutputNode<A?>
    ) -> DataOpOutputs<B, C, D, E> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of six outputs, which may also hold nil.
    public static func buildPartialBlock<A, B, C, D, E, F>(
        accumulated: DataOpFunction<(A, B, C, D, E, F)>,
        next: OutputNode<A?>
    ) -> DataOpOutputs<B, C, D, E, F> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of two outputs.
    public static func buildPartialBlock<A, B>(accumulated: DataOpFunction<(A, B)>, next: OutputNode<A>)
        -> DataOpOutputs<B>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// Drops the first of two results.
    public static func buildPartialBlock<A, B>(accumulated: DataOpFunction<(A, B)>, next: OutputNode<Discarded>)
        -> DataOpOutputs<B>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of two outputs, which either all get a value or all get none.
    public static func buildPartialBlock<A, B>(accumulated: DataOpFunction<PossibleResult<(A, B)>>, next: OutputNode<A>)
        -> DataOpOutputs<B>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of two outputs, whose value may be withheld.
    public static func buildPartialBlock<A, B>(accumulated: DataOpFunction<(PossibleResult<A>, B)>, next: OutputNode<A>)
        -> DataOpOutputs<B>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of three outputs.
    public static func buildPartialBlock<A, B, C>(accumulated: DataOpFunction<(A, B, C)>, next: OutputNode<A>)
        -> DataOpOutputs<B, C>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// Drops the first of three results.
    public static func buildPartialBlock<A, B, C>(accumulated: DataOpFunction<(A, B, C)>, next: OutputNode<Discarded>)
        -> DataOpOutputs<B, C>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of three outputs, which either all get a value or all get none.
    public static func buildPartialBlock<A, B, C>(
        accumulated: DataOpFunction<PossibleResult<(A, B, C)>>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of three outputs, whose value may be withheld.
    public static func buildPartialBlock<A, B, C>(
        accumulated: DataOpFunction<(PossibleResult<A>, B, C)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of four outputs.
    public static func buildPartialBlock<A, B, C, D>(accumulated: DataOpFunction<(A, B, C, D)>, next: OutputNode<A>)
        -> DataOpOutputs<B, C, D>
    {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// Drops the first of four results.
    public static func buildPartialBlock<A, B, C, D>(
        accumulated: DataOpFunction<(A, B, C, D)>,
        next: OutputNode<Discarded>
    ) -> DataOpOutputs<B, C, D> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of four outputs, which either all get a value or all get none.
    public static func buildPartialBlock<A, B, C, D>(
        accumulated: DataOpFunction<PossibleResult<(A, B, C, D)>>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of four outputs, whose value may be withheld.
    public static func buildPartialBlock<A, B, C, D>(
        accumulated: DataOpFunction<(PossibleResult<A>, B, C, D)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of five outputs.
    public static func buildPartialBlock<A, B, C, D, E>(
        accumulated: DataOpFunction<(A, B, C, D, E)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// Drops the first of five results.
    public static func buildPartialBlock<A, B, C, D, E>(
        accumulated: DataOpFunction<(A, B, C, D, E)>,
        next: OutputNode<Discarded>
    ) -> DataOpOutputs<B, C, D, E> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of five outputs, which either all get a value or all get none.
    public static func buildPartialBlock<A, B, C, D, E>(
        accumulated: DataOpFunction<PossibleResult<(A, B, C, D, E)>>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of five outputs, whose value may be withheld.
    public static func buildPartialBlock<A, B, C, D, E>(
        accumulated: DataOpFunction<(PossibleResult<A>, B, C, D, E)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of six outputs.
    public static func buildPartialBlock<A, B, C, D, E, F>(
        accumulated: DataOpFunction<(A, B, C, D, E, F)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E, F> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// Drops the first of six results.
    public static func buildPartialBlock<A, B, C, D, E, F>(
        accumulated: DataOpFunction<(A, B, C, D, E, F)>,
        next: OutputNode<Discarded>
    ) -> DataOpOutputs<B, C, D, E, F> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of six outputs, which either all get a value or all get none.
    public static func buildPartialBlock<A, B, C, D, E, F>(
        accumulated: DataOpFunction<PossibleResult<(A, B, C, D, E, F)>>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E, F> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }

    /// The first of six outputs, whose value may be withheld.
    public static func buildPartialBlock<A, B, C, D, E, F>(
        accumulated: DataOpFunction<(PossibleResult<A>, B, C, D, E, F)>,
        next: OutputNode<A>
    ) -> DataOpOutputs<B, C, D, E, F> {
        buildPartialBlock(accumulated: missing(accumulated), next: next)
    }
}
