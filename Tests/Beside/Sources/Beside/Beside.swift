// A file of a server: it imports what servers import, and the whole of this package, and says every name without its
// module. That it compiles is the test. `.ci/run beside` also sees to it that no public name of this package is missing
// here.

import AsyncAlgorithms
import ChemActors
import ChemInspection
import ChemLibrary
import ChemTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

/// What others have by names that this package once had too, or might have.
enum Theirs {
    typealias FoundationNames = (
        Stream, InputStream, OutputStream, Operation, OperationQueue, Progress, Port, Process, Pipe, Data, Date, URL,
        NSLock, NSCondition, Thread, Notification, Bundle, Scanner, Locale, Unit, Measurement<UnitLength>
    )
    typealias NIONames = (
        any Channel, any EventLoop, EventLoopFuture<Int>, EventLoopPromise<Int>, ByteBuffer, NIOLock,
        NIOLockedValueBox<Int>, ConditionLock<Int>, MultiThreadedEventLoopGroup, ClientBootstrap, Scheduled<Int>,
        TimeAmount, any ChannelHandler, ChannelPipeline, SocketAddress
    )
    typealias LoggingNames = (Logger, any LogHandler, LoggingSystem)
    typealias MetricsNames = (Counter, Gauge, Meter, Recorder, FloatingPointCounter, MetricsSystem, any MetricsFactory)
    typealias HummingbirdNames = (
        Application<RouterResponder<BasicRequestContext>>, Router<BasicRequestContext>, Request, Response,
        HTTPError, MediaType, Environment, URI, RouterPath, ApplicationConfiguration
    )
    typealias OtherNames = (any Service, ServiceGroup, HTTPField, HTTPRequest, AsyncChannel<Int>)
}

/// What ChemActors has.
enum Ours {
    typealias Definitions = (
        Join, any JoinDefinition, ChemicalMachine, MachineClock, BlockingExecutor, FailurePolicy, Reaction
    )
    typealias Molecules = (
        SlowMolecule<Int>, FastMolecule<Int, Int>, StateMolecule<Int>, BoundedMolecule<Int>, any Molecule
    )
    typealias Values = (Reply<Int, Int>, StateReader<Int>, MoleculeStream<Int>, any Exportable)
    typealias Reports = (
        CallError, QuiescenceError, ChemicalEvent, JoinSnapshot, JoinStatistics, JoinDrawing, StuckReport,
        MachineCensus, Latencies
    )
    typealias Recordings = (EventRecorder, Recording, RecordingError)
    typealias Publications = (Publication, PublicationError)
    typealias Builder = Join.Builder
    typealias Inputs = (
        MoleculeList, MoleculeProof<Int>, StateValue<Int>, AllMolecules<SlowMolecule<Int>, StateValue<Int>>
    )
    typealias States = (any Updatable, any Stateful, StateValues<Int>, StatePlace<Int>, StateRemains)
    typealias Entry = SoupEntry
    typealias Failure = FailedReaction
    typealias Guards = (
        any GuardableMolecule, Parts<Int, Sides>, any Matchable, MatchingKey, any Quantity, Amount,
        ConditionedState<Int>, ConditionedValue<Int>, GuardReference, GateReference, FeatureReader<Int>
    )
    enum Sides: CaseIterable, Sendable { case left, right }
}

/// What tests have.
enum OurTesting {
    typealias Exploration = (ExploredTrait, Strategy, Sharing, Allowance, Schedule, ScheduleCoverage, InvalidSchedule)
    typealias Probes = (SlowProbe<Int>, FastProbe<Int, Int>)
    typealias Steps = (Lab, NotPossible)
    typealias Histories = (History<Model>, any SequentialModel)
    struct Model: SequentialModel {
        mutating func apply(_ operation: Int) -> Int? { operation }
    }
    typealias Theirs = (any Trait, Test, Tag, Confirmation, Issue, SourceLocation, Attachment<String>)
}

/// What the recipes have.
enum OurRecipes {
    typealias Work = (
        Pipeline<Int, Int>, RunningPipeline<Int, Int>, PipelineFinished, WorkerPool, ResourcePool<Int>,
        CancelableSteps<Int>, Reduction
    )
    typealias Coordination = (
        AsyncSemaphore, AsyncMutex<Int>, ReadWriteLock, Condition<Int>, Barrier, Latch, Exchanger<Int>, Switch,
        JoinCounter
    )
    typealias Values = (
        JoinChannel<Int>, ChannelClosed, Select<Int>, PriorityQueue<Int, Int>, JoinPromise<Int>, JoinFuture<Int>,
        PromiseBroken, SingleFlight<Int, Int>, SharedRefresh<Int>, Topic<Int>, Subscription<Int>
    )
    typealias Time = (Throttle<Int>, Debounce<Int>, RateLimit, TimedOut)
}

/// What mailboxes have.
enum OurMailboxes {
    typealias Actors = (
        MailboxActor<Int>, WeakMailboxActor<Int>, MailboxContext<Int, Int>, MessageHandlers<Int>, ReplyTo<Int>,
        any MailboxBehavior.Type
    )
    typealias Options = (MailboxOptions, MailboxCapacity, MailboxPriority, MailboxStop, RestartLimit, Supervision)
    typealias Reports = (
        MailboxError, MailboxEvent, MailboxStatistics, MailboxTermination, MailboxWatch, DeadLetter, DeadLetters,
        Supervisor
    )
}

/// What dataflow has.
enum OurFlow {
    typealias Graphs = (
        FlowGraph, FlowTime, FlowStatistics, FlowDrawing, FlowError, FlowBuffering, FlowSink, FlowValues<Int>
    )
    typealias Streams = (
        EventSource<Int>, EventStream<Int>, Cell<Int>, ObservedCell<Int>, Outlet<Int>, MainOutlet<Int>,
        FlowWire<Cell<Int>>,
        any FlowOperand
    )
    typealias Malls = (
        any Mall, MallInput<Int>, MallOutput<Int>, MallStore<Int>, any MallNode, ValuesCache<Int>,
        StoreReference<MallInput<Int>, Int>
    )
    typealias Operators = (
        DataOp, DataOpBuilder, DataOpsBuilder, DataOpInputs<Int>, DataOpReads<Int>, DataOpFunction<Int>,
        DataOpOutputs<Int>, DataOpFilterOrPair, Trigger<Int>, Reads<Int>, MallZip<Int>, OutputNode<Int>, Constant<Int>,
        PossibleResult<Int>, DevNull, Discarded
    )
}

/// Functions, operators and methods, in the way they are used.
struct Thermometer: Mall {
    let celsius = MallInput(0.0)
    private let kelvin = MallStore(273.15)
    let text = MallOutput("")

    func prepareDataOpsGraph() -> [DataOp] {
        op {
            celsius>!
            compute { (celsius: Double) in celsius + 273.15 }
            ~>kelvin
        }
        op {
            kelvin>!
            Constant(2)>?
            compute { (kelvin: Double, digits: Int) in String(format: "%.\(digits)f", kelvin) }
            ~>text
        }
        op("log") {
            MallZip(celsius)
            MallZip(kelvin)
            compute { (_: Double, _: Double) async in }
            ~>devNull
        }
    }
}

func streams() -> Cell<Int> {
    let numbers = EventSource<Int>()
    numbers >-- (EventStream<Int>(), { $0 * 2 }) --| (EventStream(), { $0 > 0 }) --^ Cell(initialValue: 0)
        --< (Outlet(), { print($0) })
    return numbers.map { $0 + 1 }.filter { $0 > 0 }.cell(0)
}

func recipes() async throws {
    let counter = JoinCounter()
    counter.increment()
    let jobs: [@Sendable () throws -> Int] = [{ 1 }, { 2 }]
    let results = try await runAll(jobs)
    _ = try await firstResult(of: { () async in results.count })
    try await withTimeout(.seconds(1)) { try await AsyncSemaphore(permits: 1).withPermit {} }
    try await withChemicalMachine { _ in counter.increment() }
}
