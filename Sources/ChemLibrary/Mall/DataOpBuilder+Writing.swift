// How the parts of a result get to the outputs of a block.

import Flow

extension DataOpBuilder {
    static func missing<A, B>(_ function: DataOpFunction<(A, B)>) -> DataOpOutputs<A, B> {
        DataOpOutputs([]) { targets in
            let (a, b) = (targets[0] as! Target<A>, targets[1] as! Target<B>)
            return function.writing(to: a.outputs + b.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let result = address.assumingMemoryBound(to: (A, B).self).pointee
                        writeA(result.0)
                        writeB(result.1)
                    }
                )
            }
        }
    }

    static func missing<A, B>(_ function: DataOpFunction<PossibleResult<(A, B)>>) -> DataOpOutputs<A, B> {
        DataOpOutputs([]) { targets in
            let (a, b) = (targets[0] as! Target<A>, targets[1] as! Target<B>)
            return function.writing(to: a.outputs + b.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let possible = address.assumingMemoryBound(to: PossibleResult<(A, B)>.self).pointee
                        guard case .value(let result) = possible else { return }
                        writeA(result.0)
                        writeB(result.1)
                    }
                )
            }
        }
    }

    static func missing<A, B, C>(_ function: DataOpFunction<(A, B, C)>) -> DataOpOutputs<A, B, C> {
        DataOpOutputs([]) { targets in
            let (a, b, c) = (targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>)
            return function.writing(to: a.outputs + b.outputs + c.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let result = address.assumingMemoryBound(to: (A, B, C).self).pointee
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                    }
                )
            }
        }
    }

    static func missing<A, B, C>(_ function: DataOpFunction<PossibleResult<(A, B, C)>>) -> DataOpOutputs<
        A, B, C
    > {
        DataOpOutputs([]) { targets in
            let (a, b, c) = (targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>)
            return function.writing(to: a.outputs + b.outputs + c.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let possible = address.assumingMemoryBound(to: PossibleResult<(A, B, C)>.self).pointee
                        guard case .value(let result) = possible else { return }
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D>(_ function: DataOpFunction<(A, B, C, D)>) -> DataOpOutputs<A, B, C, D> {
        DataOpOutputs([]) { targets in
            let (a, b, c, d) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let result = address.assumingMemoryBound(to: (A, B, C, D).self).pointee
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D>(_ function: DataOpFunction<PossibleResult<(A, B, C, D)>>) -> DataOpOutputs<
        A, B, C, D
    > {
        DataOpOutputs([]) { targets in
            let (a, b, c, d) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs) { compiler, operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let possible = address.assumingMemoryBound(to: PossibleResult<(A, B, C, D)>.self).pointee
                        guard case .value(let result) = possible else { return }
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D, E>(_ function: DataOpFunction<(A, B, C, D, E)>) -> DataOpOutputs<
        A, B, C, D, E
    > {
        DataOpOutputs([]) { targets in
            let (a, b, c, d, e) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>,
                targets[4] as! Target<E>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs + e.outputs) {
                compiler,
                operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                let writeE = e.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let result = address.assumingMemoryBound(to: (A, B, C, D, E).self).pointee
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                        writeE(result.4)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D, E>(_ function: DataOpFunction<PossibleResult<(A, B, C, D, E)>>)
        -> DataOpOutputs<A, B, C, D, E>
    {
        DataOpOutputs([]) { targets in
            let (a, b, c, d, e) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>,
                targets[4] as! Target<E>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs + e.outputs) {
                compiler,
                operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                let writeE = e.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let possible = address.assumingMemoryBound(to: PossibleResult<(A, B, C, D, E)>.self).pointee
                        guard case .value(let result) = possible else { return }
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                        writeE(result.4)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D, E, F>(_ function: DataOpFunction<(A, B, C, D, E, F)>) -> DataOpOutputs<
        A, B, C, D, E, F
    > {
        DataOpOutputs([]) { targets in
            let (a, b, c, d, e, f) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>,
                targets[4] as! Target<E>, targets[5] as! Target<F>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs + e.outputs + f.outputs) {
                compiler,
                operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                let writeE = e.next(compiler, operation, &output)
                let writeF = f.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let result = address.assumingMemoryBound(to: (A, B, C, D, E, F).self).pointee
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                        writeE(result.4)
                        writeF(result.5)
                    }
                )
            }
        }
    }

    static func missing<A, B, C, D, E, F>(_ function: DataOpFunction<PossibleResult<(A, B, C, D, E, F)>>)
        -> DataOpOutputs<A, B, C, D, E, F>
    {
        DataOpOutputs([]) { targets in
            let (a, b, c, d, e, f) = (
                targets[0] as! Target<A>, targets[1] as! Target<B>, targets[2] as! Target<C>, targets[3] as! Target<D>,
                targets[4] as! Target<E>, targets[5] as! Target<F>
            )
            return function.writing(to: a.outputs + b.outputs + c.outputs + d.outputs + e.outputs + f.outputs) {
                compiler,
                operation in
                var output = 0
                let writeA = a.next(compiler, operation, &output)
                let writeB = b.next(compiler, operation, &output)
                let writeC = c.next(compiler, operation, &output)
                let writeD = d.next(compiler, operation, &output)
                let writeE = e.next(compiler, operation, &output)
                let writeF = f.next(compiler, operation, &output)
                return FlowEmitter(
                    FlowReceiver { address in
                        let possible = address.assumingMemoryBound(to: PossibleResult<(A, B, C, D, E, F)>.self).pointee
                        guard case .value(let result) = possible else { return }
                        writeA(result.0)
                        writeB(result.1)
                        writeC(result.2)
                        writeD(result.3)
                        writeE(result.4)
                        writeF(result.5)
                    }
                )
            }
        }
    }
}

extension Target {
    /// The emitter for this target, as the operator's next output.
    fileprivate func next(_ compiler: FlowCompiler, _ operation: FlowOperator, _ output: inout Int) -> FlowEmitter<
        Value
    > {
        defer { if self.output != nil { output += 1 } }
        return writer(compiler, operation, output)
    }
}
