"""The records of Culprit's reports: a frozen dataclass for each object of the JSON.

scripts/records.py made this file from docs/*.schema.json. Change the schemas, and run it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple


@dataclass(frozen=True)
class CheckRecord:
    """A whole report: culprit.report/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: CheckTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    environment: CheckEnvironment
    #: One entry a model, in the order of the command line.
    models: Tuple[CheckModelReport, ...]
    summary: CheckSummary


@dataclass(frozen=True)
class CheckTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class CheckEnvironment:
    """What the numbers depend on."""

    #: Version of ONNX Optimizer.
    onnx_optimizer: str
    #: Version of ONNX.
    onnx: str
    #: Version of the ONNX Runtime library that ran the models; "" where none ran.
    onnxruntime: str
    #: Execution provider.
    provider: str
    #: Threads inside one run.
    threads: int
    cpu: str
    cores: int
    #: The optimizer under test (--optimizer). `steps`: those that were found in this library of a runtime, for
    #: other versions have other ones; of other optimizers none.
    optimizer: CheckEnvironmentOptimizer
    os: str


@dataclass(frozen=True)
class CheckEnvironmentOptimizer:
    """The optimizer under test (--optimizer). `steps`: those that were found in this library of a runtime, for
    other versions have other ones; of other optimizers none.
    """

    name: str
    version: str
    steps: Tuple[str, ...]


@dataclass(frozen=True)
class CheckModelReport:
    """All that was found out about one model."""

    model: CheckModel
    data: CheckData
    warnings: Tuple[CheckWarning, ...]
    baseline: CheckBaseline
    controls: Tuple[CheckControl, ...]
    #: By output: what rounding alone can do to it, measured. Empty where nothing differed by a bit, so that it was
    #: not needed.
    noise_floor: Dict[str, CheckNoiseFloor]
    variants: Tuple[CheckVariant, ...]
    faults: Tuple[CheckFault, ...]
    #: The largest part of the recipe that was verified to be right; null where none was looked for.
    safe_recipe: Optional[CheckSafeRecipe]
    #: The model could not be read at all: why. Everything else is then empty. Else null.
    error: Optional[str]
    seconds: float
    #: What was not done, because the time of --budget was spent.
    skipped: Tuple[str, ...]
    #: The largest resident size of a process of its kind, in bytes; 0 where none lived to tell.
    memory: CheckModelReportMemory
    spent: CheckSpent
    #: What a step of the optimizer is called.
    step_word: str
    #: The variant that was given as a file (localize --variant), and that `variants` and `faults` are about; else
    #: null.
    given: Optional[CheckModelReportGiven]
    #: What a second runtime and ONNX's reference evaluator give for the model as it is (--second-runtime,
    #: --python); null where none was asked.
    witnesses: Optional[CheckModelReportWitnesses]
    #: Where the time went: what the check did, in the order in which it began. None is there twice.
    phases: Tuple[CheckModelReportPhase, ...]
    #: In one word: fault where one is not known, known where all faults are, not_judged where nothing was found and
    #: not all could be judged.
    outcome: Optional[str] = None


@dataclass(frozen=True)
class CheckModel:
    """A part of what `Culprit report` holds."""

    #: As given on the command line.
    path: str
    #: Of the file; "" only where it could not be read.
    sha256: str
    bytes: int
    #: Subgraphs included.
    nodes: int
    initializers: int
    ir_version: int
    #: Version by domain; "" is ai.onnx.
    opsets: Dict[str, int]
    #: What a caller must feed: "data: float32[1,3,224,224]".
    inputs: Tuple[str, ...]
    outputs: Tuple[str, ...]


@dataclass(frozen=True)
class CheckData:
    """What the model was fed."""

    #: synthesized, test_data_set, file, pictures, input; "" where nothing was run.
    source: str
    samples: int
    seed: int
    #: What symbolic dimensions were set to.
    dims: Dict[str, int]
    #: And in every second sample; empty where they are the same in all.
    other_dims: Dict[str, int]
    #: What was made up for inputs of which more than the type is known, and why.
    choices: Tuple[str, ...]
    #: How many of the samples, the last ones, are directed at the places where passes would fire.
    directed: int
    #: With what, and at which pass: "sample 2: ties into 'logits' (eliminate_nop_monotone_argmax)". At most 10.
    directions: Tuple[str, ...]


@dataclass(frozen=True)
class CheckWarning:
    """A part of what `Culprit report` holds."""

    #: Stable name of the sort of warning.
    code: str
    message: str


@dataclass(frozen=True)
class CheckBaseline:
    """The reference: the model as given, with the runtime's optimizations off. Only where its status is ok are
    values judged.
    """

    #: machine_failed: a full disk, no more processes; it says nothing about the model.
    status: str
    #: The runtime's optimization level for the reference.
    reference_level: str
    #: For anything but ok: why, and what to do.
    message: str
    #: Outputs whose values say nothing about a variant. If all are, the status is weak_data.
    weak: Tuple[CheckBaselineWeak, ...]


@dataclass(frozen=True)
class CheckBaselineWeak:
    """A part of what `Culprit report` holds."""

    output: str
    reason: str


@dataclass(frozen=True)
class CheckControl:
    """Something that must not differ, run to learn about the set-up."""

    name: str
    verdict: str
    message: str
    measurements: Dict[str, CheckMeasurement]


@dataclass(frozen=True)
class CheckMeasurement:
    """A part of what `Culprit report` holds."""

    #: Largest |variant - reference|; "inf" where only one of them is finite.
    max_abs: float
    #: Largest |variant - reference| / |reference|; "inf" where the reference is 0 and the variant is not.
    max_rel: float
    #: Largest distance in units in the last place; 0 for types without.
    max_ulp: int
    #: Cosine similarity over the finite elements, the smallest over the samples.
    cosine: float
    #: Elements where NaN or infinity stands in one and not, or differently, in the other.
    nonfinite_mismatch: int
    #: Elements that differ at all.
    mismatched: int
    #: Elements that differ by more than rounding explains: by more than the floor, and no ties. None: equivalent.
    beyond_floor: int
    #: Of those, the ones that differ by more than the tolerance as well. None: deviates; else diverged.
    beyond_tolerance: int
    #: Elements that differ, and that rounding alone makes jump too: names, NaN and infinities, numbers behind a
    #: jump.
    ties: int
    #: Elements of directed samples that are NaN or infinite in the reference and finite in the variant: counted as
    #: mismatched, and held against nobody (warning variant_is_finite_where_model_is_not).
    finite_instead: int
    #: Elements compared, over all samples.
    elements: int
    #: The absolute tolerance used, of the scale of that element (see floor): |v - r| <= atol + rtol * |r|.
    atol: float
    #: The relative tolerance used.
    rtol: float
    #: What rounding may do to the element that is furthest beyond it, or comes nearest to that; 0 where no bit
    #: differs.
    floor: float
    #: How far that element is off.
    worst: float
    #: worst / floor: above 1 where an element is beyond what rounding explains; "inf" where nothing moves it, or it
    #: is a name.
    times: float
    #: Of the ties, those that no draw made jump: so few are as rare jumps are.
    by_share: int
    #: What no number tells: another shape or type, signed zeros, which side is NaN or infinite; else "".
    note: str
    #: Errors that many elements share, and that rounding does not explain in so many of them, though it would in
    #: each; null where there are none. These elements count as beyond_floor.
    shared: Optional[CheckMeasurementShared] = None
    #: Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    #: for each corner. Corners are by size.
    errors: Optional[CheckMeasurementErrors] = None
    #: Where whole numbers that are stored as floats are others: the unit of which they all are multiples. They are
    #: compared exactly. Else null.
    unit: Optional[float] = None


@dataclass(frozen=True)
class CheckMeasurementShared:
    """A part of what `Culprit report` holds."""

    #: ratio: all off by one share of their values; offset: all off to one side.
    kind: str
    #: What they share: of a ratio the share of the value, of an offset the mean error.
    off: float
    #: So much of it rounding explains, in the same unit.
    explained: float
    #: Elements that are off to that side, and beyond no limit by themselves.
    elements: int


@dataclass(frozen=True)
class CheckMeasurementErrors:
    """Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    for each corner. Corners are by size.
    """

    #: |reference| and |variant - reference| of an element. An error of "inf" is passed by no tolerance: another
    #: shape, name or exact value, NaN.
    corners: Tuple[Tuple[float, ...], ...]
    #: Others may be off by so much more than the lines between the corners; "inf": nothing is known of them.
    slack: float


@dataclass(frozen=True)
class CheckNoiseFloor:
    """abs = 4 x deviation + 8 eps x rms (1.5 x deviation of what is stepped): of all scales of the output, in the
    samples that were drawn, the one with the widest limit.
    """

    abs: float
    #: abs / rms; 0 where rms is.
    rel: float
    #: How far draws carry an element in the middle of the scale.
    deviation: float
    #: Of the finite elements of the scale, without fillers.
    rms: float
    #: Of the output's type; 0 for exact types.
    eps: float
    #: Always 0: a step is a jump, and drawn for.
    step: float
    #: Samples that were drawn.
    samples: int
    #: Scales in the sample that has the most.
    scales: int
    #: Draws that count, of the sample with the most.
    draws: int
    #: Draws that failed or changed a shape.
    discarded: int
    #: Names, and NaN and infinities, that flipped in some draw.
    ties: int
    #: Numbers behind a jump (Round, a comparison): abs = 1.5 x deviation + 8 x eps x rms, for a jump is as long in
    #: any draw.
    stepped: bool


@dataclass(frozen=True)
class CheckVariant:
    """What one recipe made of the model, and what that earned."""

    id: str
    #: Version of the runtime that ran it; "" where it was not run.
    runtime: str
    recipe: CheckRecipe
    #: The passes that the optimizer applies by default.
    is_bundle: bool
    #: What the recipe is judged by.
    contract: str
    verdict: str
    #: Id of the variant with the same fingerprint that was run in its place, "original" or "round_trip"; else null.
    same_as: Optional[str]
    message: str
    #: 128-bit hash of what the variant means; null where there is no variant.
    fingerprint: Optional[str]
    #: Relative to the folder of the report; null where it was not kept.
    file: Optional[str]
    nodes_before: int
    nodes: int
    #: By op type: how many more (+) or fewer (-). Ops outside ai.onnx are "domain.Op".
    ops_changed: Dict[str, int]
    evidence: Optional[CheckEvidence]
    measurements: Dict[str, CheckMeasurement]
    #: Of a verdict that the measurements alone do not make: what is decided otherwise, and on which of the judged
    #: samples; else null.
    decision: Optional[CheckSampleDecision]
    #: By name of an inner value, where outputs are weak and inner values were compared.
    inner: Dict[str, CheckMeasurement]
    #: At the deploy level, against the original at that level; null where it was not run there.
    deployed: Optional[CheckVariantDeployed]
    decisions: Optional[CheckDecisions]
    #: "k/n": a failure showed again in k of n fresh processes; null where there was nothing to confirm.
    confirmed: Optional[str]
    warnings: Tuple[CheckWarning, ...]
    seconds: CheckVariantSeconds
    #: End of stdout and stderr of the process that died; else "".
    last_words: str


@dataclass(frozen=True)
class CheckRecipe:
    """A part of what `Culprit report` holds."""

    #: given: of a variant that was given as a file.
    optimizer: str
    #: In order; none at all is the round trip, or a file that no pass makes.
    passes: Tuple[str, ...]
    repeat: str
    #: Only of a program: what it is called with to do just these steps, {input} and {output} for the two files.
    command: Optional[Tuple[str, ...]] = None
    #: Only of a program: may it use the network?
    network: Optional[bool] = None
    #: Only of a runtime's own optimizations: the level of the session in which the model itself runs.
    level: Optional[str] = None
    #: With a level: the steps that the session is told to leave out.
    disabled: Optional[Tuple[str, ...]] = None


@dataclass(frozen=True)
class CheckEvidence:
    """What a verdict that rests on no measurement rests on; else null."""

    stage: str
    ending: str


@dataclass(frozen=True)
class CheckSampleDecision:
    """What the original and a variant decide on one sample."""

    number: int
    #: Its name.
    sample: str
    reference: str
    variant: str
    #: How sure the original was of what is different, in the task's unit.
    margin: float


@dataclass(frozen=True)
class CheckVariantDeployed:
    """At the deploy level, against the original at that level; null where it was not run there."""

    level: str
    samples: int
    verdict: str
    message: str
    evidence: Optional[CheckEvidence]
    confirmed: Optional[str]
    measurements: Dict[str, CheckMeasurement]
    #: As of the variant.
    decision: Optional[CheckSampleDecision]


@dataclass(frozen=True)
class CheckDecisions:
    """What is decided on the whole data set (--data), against the original at the same level of the runtime: of
    what users run, and of the safe recipe; else null.
    """

    level: str
    #: What was read off the outputs (docs/decisions.md).
    task: str
    #: That were compared.
    samples: int
    #: Samples on which the decision is another one.
    changed: int
    #: Of those, the ones that a draw of rounding changes likewise; at most 64 are drawn, the surest first.
    ties: int
    #: Samples on which one draw of rounding decides otherwise; 0 where nobody asked.
    changed_by_draw: int
    #: The variant changes significantly more than that draw (McNemar, 1 %).
    more_than_rounding: bool
    #: Samples on which it fails, or gives outputs that cannot be held against the original's.
    failures: int
    metrics: Dict[str, CheckDecisionMetric]
    #: Of the samples whose truth is known; null where there are none.
    against_labels: Optional[CheckDecisionsAgainstLabels]
    #: At most ten, where the original was surest first.
    worst: Tuple[CheckSampleDecision, ...]
    #: One sentence.
    message: str
    #: Samples on which both give NaN where a decision should be; they count as unchanged.
    undecided: Optional[int] = None
    #: Samples on which neither finds what the task looks for: no boxes, a vector of zeros. If it is all of them,
    #: there are no metrics.
    empty: Optional[int] = None
    #: Samples that nobody looked at, for the time of --budget was spent; nothing is known of them.
    not_reached: Optional[int] = None


@dataclass(frozen=True)
class CheckDecisionMetric:
    """A number over all samples, with what it may be at 95 % confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class CheckDecisionsAgainstLabels:
    """Of the samples whose truth is known; null where there are none."""

    labelled: int
    reference: Dict[str, CheckDecisionMetric]
    variant: Dict[str, CheckDecisionMetric]


@dataclass(frozen=True)
class CheckVariantSeconds:
    """A part of what `Culprit report` holds."""

    optimize: float
    run: float


@dataclass(frozen=True)
class CheckFault:
    """One cause: variants that fail in the same way."""

    id: str
    verdict: str
    #: Passes; for kind control the name of the control, for kind given that of the file.
    culprits: Tuple[str, ...]
    #: given: of a variant that was given as a file.
    kind: str
    #: Of kind control: which one; else null.
    control: Optional[str]
    attribution: str
    #: What makes two failures the same failure.
    signature: str
    #: Ids of the variants that show it.
    variants: Tuple[str, ...]
    #: One line a person understands.
    message: str
    workaround: str
    #: Of a program: what it is called with to be right, {input} and {output} for the two files. Empty where there
    #: is no workaround.
    to_run: Tuple[str, ...]
    #: Of a runtime: the steps of the workaround, as optimization.disable_specified_optimizers takes them with ';'
    #: between. Empty where there is no workaround.
    to_disable: Tuple[str, ...]
    #: Single applications of a pass that break the model, in the order in which they were found; without them it is
    #: right, unless rewrites_message says otherwise.
    rewrites: Tuple[CheckRewrite, ...]
    #: Why the rewrites are not all, or were not looked for; else "".
    rewrites_message: str
    #: Limited recipes that were tried.
    rewrites_asked: int
    #: Wall-clock time of that search, pieces and diffs included.
    rewrites_seconds: float
    #: Folder that shows it by public packages alone (docs/repros.md), relative to the folder of the report; null
    #: where none was kept.
    repro: Optional[str]
    #: The smallest model that was found to show it, which is the repro's; null where nobody asked for it.
    reduced: Optional[CheckFaultReduced]
    #: 128-bit hash of the smallest model that was found to fail in the same way; null where it was not reduced.
    reduced_fingerprint: Optional[str]
    #: As what it was recorded before (--known); null for a new fault. Known faults do not make exit code 1.
    known: Optional[CheckFaultKnown]
    #: The runs that a fault of values was attributed by, each against the reference's outputs on one sample; empty
    #: where there were none.
    attribution_evidence: Tuple[CheckFaultAttributionEvidence, ...]
    #: Where the values of the original and of the variant part first (docs/comparing.md): the first value, in the
    #: order of the original's graph, that the variant's nodes make wrong even from the original's values; null
    #: where there is none, or none was looked for.
    first_divergence: Optional[CheckFaultFirstDivergence]
    #: Why there is none, where it was looked for; else "".
    first_divergence_message: str


@dataclass(frozen=True)
class CheckRewrite:
    """One application of one pass at one place."""

    pass_: str
    #: First output of the node that it was applied to; "" for a pass over the full graph.
    output: str
    op_type: str
    #: 1 is the recipe's first visit; rewrites found before this one were left out and not counted.
    number: int
    #: Visits in all.
    of: int
    #: Times that number - 1 visits were right and number failed.
    confirmed: str
    #: What it changed: lines that begin with -, +, ~, or two spaces where the node of the rewrite itself stays.
    diff: Tuple[str, ...]
    diff_left_out: int
    #: Independent pieces that a pass over the full graph falls into; 0: they were not looked for.
    pieces: int
    #: Those that break the model by themselves.
    bad_pieces: Tuple[CheckRewritePiece, ...]
    #: Why the bad pieces are not all, or were not looked for; else "".
    pieces_message: str


@dataclass(frozen=True)
class CheckRewritePiece:
    """A part of what a pass over the full graph did."""

    what: str
    #: First output of the first node that it changes; "" where it changes none.
    output: str
    #: Times that the model failed with this piece alone.
    confirmed: str
    diff: Tuple[str, ...]
    diff_left_out: int


@dataclass(frozen=True)
class CheckFaultReduced:
    """The smallest model that was found to show it, which is the repro's; null where nobody asked for it."""

    #: 0: it was not reduced.
    nodes_before: int
    nodes: int
    #: Smaller models that were tried.
    checks: int
    seconds: float
    #: Why it is not smaller, or was not reduced; else "".
    message: str


@dataclass(frozen=True)
class CheckFaultKnown:
    """As what it was recorded before (--known); null for a new fault. Known faults do not make exit code 1."""

    id: str
    note: str


@dataclass(frozen=True)
class CheckFaultAttributionEvidence:
    """A part of what `Culprit report` holds."""

    model: str
    #: onnxruntime, or onnx.reference, the reference evaluator of ONNX.
    runner: str
    version: str
    #: Of the runner's own optimizations; null where it has none.
    level: Optional[str]
    outcome: str
    #: Largest distance from the reference's outputs.
    max_abs: float
    #: What differs or fails, or why it was not computed in float64.
    message: str
    #: In which all values were computed; null: in the model's own types.
    precision: Optional[str]


@dataclass(frozen=True)
class CheckFaultFirstDivergence:
    """Where the values of the original and of the variant part first (docs/comparing.md): the first value, in the
    order of the original's graph, that the variant's nodes make wrong even from the original's values; null where
    there is none, or none was looked for.
    """

    #: The value's name in the original.
    original: str
    #: Its name in the variant.
    variant: str
    #: That lie between it and the values before it that are known in both, its own maker first; at most 20.
    nodes_original: Tuple[Optional[CheckNode], ...]
    nodes_variant: Tuple[Optional[CheckNode], ...]
    #: The largest distance of it where the variant's nodes are given the original's values.
    error: float
    #: What rounding explains.
    floor: float
    #: made_here: by these nodes, not by what they are given.
    state: str
    #: Percent of the original's values that were found in the variant.
    coverage: float
    #: That it took.
    runs: int
    #: One sentence.
    message: str


@dataclass(frozen=True)
class CheckNode:
    """A node of the top graph; null where a value is an input or stored."""

    #: "" where it has none.
    name: str
    op: str
    #: In the order of the top graph.
    index: int
    #: Its first output.
    output: str


@dataclass(frozen=True)
class CheckSafeRecipe:
    """A part of what `Culprit report` holds."""

    #: In order; none at all: nothing of the recipe is safe.
    passes: Tuple[str, ...]
    repeat: str
    #: Of a runtime: the level of the session; else null.
    level: Optional[str]
    #: Of a runtime: the steps that the session is told to leave out.
    disabled: Tuple[str, ...]
    left_out: Tuple[CheckSafeRecipeLeftOut, ...]
    #: On what it was verified; null where it was not, and the message says why.
    verified: Optional[CheckSafeRecipeVerified]
    message: str


@dataclass(frozen=True)
class CheckSafeRecipeLeftOut:
    """A part of what `Culprit report` holds."""

    pass_: str
    reason: str


@dataclass(frozen=True)
class CheckSafeRecipeVerified:
    """On what it was verified; null where it was not, and the message says why."""

    samples: int
    #: Of the runtime's optimizations.
    levels: Tuple[str, ...]


@dataclass(frozen=True)
class CheckModelReportMemory:
    """The largest resident size of a process of its kind, in bytes; 0 where none lived to tell."""

    parent: int
    #: Workers that import, and their forks, which count what they share.
    optimizer: int
    #: Workers that hold a session.
    runner: int


@dataclass(frozen=True)
class CheckSpent:
    """Seconds that workers spent, all of them together. What is not runs is not inference."""

    #: In the runtime's run.
    runs: float
    #: Making sessions.
    loads: float
    #: Reading, hashing, checking and importing the model; making, checking and writing variants.
    optimize: float


@dataclass(frozen=True)
class CheckModelReportGiven:
    """The variant that was given as a file (localize --variant), and that `variants` and `faults` are about; else
    null.
    """

    model: CheckModel
    #: As of a variant; null where it could not be told.
    fingerprint: Optional[str]
    #: The recipe that makes this very model; then `variants` is what that recipe makes. No passes: import and
    #: export alone. null where none does: then `variants` is the file itself, its recipe is empty, and its
    #: optimizer `given`.
    made_by: Optional[CheckRecipe]
    #: Recipes that were asked whether they make it.
    tried: int
    #: Why not all of them were; else "".
    message: str
    #: Of the two graphs, around the first divergence where there is one: lines as of a rewrite.
    diff: Tuple[str, ...]
    #: Lines elsewhere.
    diff_left_out: int
    #: Nodes of one operator that have another limit in the variant, where no sample tells them apart: exit code 3.
    #: Else null.
    not_reached: Optional[str]


@dataclass(frozen=True)
class CheckModelReportWitnesses:
    """What a second runtime and ONNX's reference evaluator give for the model as it is (--second-runtime,
    --python); null where none was asked.
    """

    asked: Tuple[CheckWitness, ...]
    #: Where the values of the runtime and of the first witness that differs and is not set aside part first; null
    #: where that was not found.
    first_node: Optional[CheckNode]
    #: --trust-runtime was given. Else a witness that differs and is not set aside makes exit code 3, where there is
    #: no fault.
    trusted: bool


@dataclass(frozen=True)
class CheckWitness:
    """Another runner on the model as it is, with optimizations off, against the reference's outputs."""

    runner: str
    version: str
    #: differs: by more than rounding explains and the tolerance permits.
    outcome: str
    #: The largest distance; "Infinity" for another shape.
    max_abs: float
    #: It differs, and another witness agrees with the reference.
    set_aside: bool
    #: What differs or fails; else "".
    message: str


@dataclass(frozen=True)
class CheckModelReportPhase:
    """A part of what `Culprit report` holds."""

    #: variants: making, running and judging them, which go on beside each other. rewrites: which single rewrites
    #: are wrong. opinions, divergence, reducing, repro: of all faults together.
    phase: str
    #: That went by.
    seconds: float
    #: Seconds of workers, as of the whole, and CPU time of culprit itself.
    spent: CheckModelReportPhaseSpent
    counts: CheckCounts


@dataclass(frozen=True)
class CheckModelReportPhaseSpent:
    """Seconds of workers, as of the whole, and CPU time of culprit itself."""

    #: Of culprit itself: planning, comparing, judging.
    here: float
    runs: float
    loads: float
    optimize: float


@dataclass(frozen=True)
class CheckCounts:
    """How often each thing was done."""

    #: Imports of a model into an optimizer.
    imports: int
    #: Models loaded into the runtime.
    sessions: int
    #: Samples run through a session.
    runs: int
    #: Processes started, forks included.
    processes: int


@dataclass(frozen=True)
class CheckSummary:
    """Totals over all models."""

    models: int
    #: Those of the models that could not be read or judged.
    not_judged: int
    #: Models that were asked for and are not among them, because the run was interrupted.
    not_reached: int
    variants: int
    distinct_variants: int
    #: That are not known.
    faults: int
    #: Recorded before (--known), and not among the faults.
    known_faults: int
    #: Variants by verdict.
    by_verdict: Dict[str, int]
    counts: CheckCounts
    seconds: float
    spent: CheckSpent


@dataclass(frozen=True)
class CompareRecord:
    """A whole report: culprit.compare/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: CompareTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    environment: CompareEnvironment
    #: What the other is held against.
    a: CompareModel
    b: CompareModel
    data: CompareData
    warnings: Tuple[CompareWarning, ...]
    #: same: exit code 0. part: 1. The others: 3. not_reached: the same, but nodes have other limits, and no sample
    #: tells them apart.
    status: str
    #: Why, where it is not `same`; "".
    message: str
    #: Level of the runtime's own optimizations in every run; "" where nothing was run.
    reference_level: str
    #: Inputs that stand for each other.
    inputs: Tuple[ComparePair, ...]
    #: Outputs that do.
    outputs: Tuple[ComparePair, ...]
    #: Inputs and outputs of either that stand for none.
    unbound: Tuple[str, ...]
    #: The worst of all outputs; inconclusive where none was compared.
    verdict: str
    #: By output of A: how far B's is from it, the worst over all samples.
    measurements: Dict[str, CompareMeasurement]
    coverage: CompareCoverage
    capture: CompareCapture
    #: In the order of A's graph.
    values: Tuple[CompareValue, ...]
    first_divergence: Optional[CompareFirstDivergence]
    decisions: Optional[CompareDecisions]
    seconds: float
    #: Largest resident size of the process that compares.
    peak_bytes: int
    #: Of outputs with differences beyond the tolerance that rounding of the whole model explains: what B's nodes
    #: make of A's values, against what A's nodes make of them. Where that diverged, the two part.
    remade: Optional[Dict[str, CompareMeasurement]] = None
    #: Folders below the run's that show the faults by themselves, with public packages: "repro/F1". Empty where
    #: there are none.
    repros: Optional[Tuple[str, ...]] = None


@dataclass(frozen=True)
class CompareTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class CompareEnvironment:
    """What the numbers depend on."""

    #: Version of ONNX Optimizer.
    onnx_optimizer: str
    #: Version of ONNX.
    onnx: str
    #: Version of the ONNX Runtime library that ran the models; "" where none ran.
    onnxruntime: str
    #: Execution provider.
    provider: str
    #: Threads inside one run.
    threads: int
    cpu: str
    cores: int
    os: str


@dataclass(frozen=True)
class CompareModel:
    """A part of what `Culprit comparison` holds."""

    #: As given on the command line.
    path: str
    #: Of the file; "" only where it could not be read.
    sha256: str
    bytes: int
    #: Subgraphs included.
    nodes: int
    initializers: int
    ir_version: int
    #: Version by domain; "" is ai.onnx.
    opsets: Dict[str, int]
    #: What a caller must feed: "data: float32[1,3,224,224]".
    inputs: Tuple[str, ...]
    outputs: Tuple[str, ...]


@dataclass(frozen=True)
class CompareData:
    """What the model was fed."""

    #: synthesized, test_data_set, file, pictures, input; "" where nothing was run.
    source: str
    samples: int
    seed: int
    #: What symbolic dimensions were set to.
    dims: Dict[str, int]
    #: And in every second sample; empty where they are the same in all.
    other_dims: Dict[str, int]
    #: What was made up for inputs of which more than the type is known, and why.
    choices: Tuple[str, ...]
    #: How many of the samples, the last ones, are directed at the places where passes would fire.
    directed: int
    #: With what, and at which pass: "sample 2: ties into 'logits' (eliminate_nop_monotone_argmax)". At most 10.
    directions: Tuple[str, ...]


@dataclass(frozen=True)
class CompareWarning:
    """A part of what `Culprit comparison` holds."""

    #: Stable name of the sort of warning.
    code: str
    message: str


@dataclass(frozen=True)
class ComparePair:
    """A part of what `Culprit comparison` holds."""

    a: str
    b: str


@dataclass(frozen=True)
class CompareMeasurement:
    """A part of what `Culprit comparison` holds."""

    #: Largest |variant - reference|; "inf" where only one of them is finite.
    max_abs: float
    #: Largest |variant - reference| / |reference|; "inf" where the reference is 0 and the variant is not.
    max_rel: float
    #: Largest distance in units in the last place; 0 for types without.
    max_ulp: int
    #: Cosine similarity over the finite elements, the smallest over the samples.
    cosine: float
    #: Elements where NaN or infinity stands in one and not, or differently, in the other.
    nonfinite_mismatch: int
    #: Elements that differ at all.
    mismatched: int
    #: Elements that differ by more than rounding explains: by more than the floor, and no ties. None: equivalent.
    beyond_floor: int
    #: Of those, the ones that differ by more than the tolerance as well. None: deviates; else diverged.
    beyond_tolerance: int
    #: Elements that differ, and that rounding alone makes jump too: names, NaN and infinities, numbers behind a
    #: jump.
    ties: int
    #: Elements of directed samples that are NaN or infinite in the reference and finite in the variant; of a
    #: comparison none.
    finite_instead: int
    #: Elements compared, over all samples.
    elements: int
    #: The absolute tolerance used, of the scale of that element (see floor): |v - r| <= atol + rtol * |r|.
    atol: float
    #: The relative tolerance used.
    rtol: float
    #: What rounding may do to the element that is furthest beyond it, or comes nearest to that; 0 where no bit
    #: differs.
    floor: float
    #: How far that element is off.
    worst: float
    #: worst / floor: above 1 where an element is beyond what rounding explains; "inf" where nothing moves it, or it
    #: is a name.
    times: float
    #: Of the ties, those that no draw made jump: so few are as rare jumps are.
    by_share: int
    #: What no number tells: another shape or type, signed zeros; else "".
    note: str
    #: Errors that many elements share, and that rounding does not explain in so many of them, though it would in
    #: each; null where there are none. These elements count as beyond_floor.
    shared: Optional[CompareMeasurementShared] = None
    #: Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    #: for each corner. Corners are by size.
    errors: Optional[CompareMeasurementErrors] = None
    #: Where whole numbers that are stored as floats are others: the unit of which they all are multiples. They are
    #: compared exactly. Else null.
    unit: Optional[float] = None


@dataclass(frozen=True)
class CompareMeasurementShared:
    """A part of what `Culprit comparison` holds."""

    #: ratio: all off by one share of their values; offset: all off to one side.
    kind: str
    #: What they share: of a ratio the share of the value, of an offset the mean error.
    off: float
    #: So much of it rounding explains, in the same unit.
    explained: float
    #: Elements that are off to that side, and beyond no limit by themselves.
    elements: int


@dataclass(frozen=True)
class CompareMeasurementErrors:
    """Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    for each corner. Corners are by size.
    """

    #: |reference| and |variant - reference| of an element. An error of "inf" is passed by no tolerance: another
    #: shape, name or exact value, NaN.
    corners: Tuple[Tuple[float, ...], ...]
    #: Others may be off by so much more than the lines between the corners; "inf": nothing is known of them.
    slack: float


@dataclass(frozen=True)
class CompareCoverage:
    """How much of A was found in B: values of the top graph that nodes make (Constants apart) and that an output
    needs.
    """

    #: Mapped or fused, of all; 100 where there are none.
    percent: float
    values: int
    mapped: int
    by_binding: int
    by_computation: int
    by_name: int
    by_position: int
    #: Not mapped, and the node of B that does its work is known.
    fused: int
    #: Neither.
    gone: int
    #: Values inside subgraphs of A, in none of these numbers: not compared one by one.
    in_subgraphs: int
    #: Values of B that stand for none of A.
    own_values: int


@dataclass(frozen=True)
class CompareCapture:
    """Inner values are read by making them outputs, which must not change the model's own outputs by a bit."""

    #: Read in both.
    values: int
    #: Mapped, but no run could bring them out.
    not_read: int
    #: On which inner values were read.
    samples: int
    runs: int
    #: Runs that had to be made with fewer values, because reading these changed the outputs.
    halved: int
    #: What could not be read and why; "".
    message: str


@dataclass(frozen=True)
class CompareValue:
    """A part of what `Culprit comparison` holds."""

    #: Name in A.
    a: str
    #: Name in B; null where it is not mapped.
    b: Optional[str]
    #: That makes it in A.
    node_a: Optional[CompareNode]
    #: That makes it in B; of a fused value the node that does its work.
    node_b: Optional[CompareNode]
    #: Why the one stands for the other; null where it is not mapped.
    by: Optional[str]
    #: equal: within the noise floor. made_here: it differs, and B's nodes make it so even from A's values.
    #: inherited: it differs, but not where B's nodes are given A's values. unclear: it differs, and B's nodes could
    #: not be run by themselves. unlike: it differs, and nothing that is made of it does, so the two mean something
    #: else. not_read: mapped, but no run could bring it out. fused: a node of B does its work. gone: nothing was
    #: found for it.
    state: str
    #: B's against A's, the worst over the samples; null where it was not read.
    measurement: Optional[CompareMeasurement]
    #: Largest error where B's nodes are given A's values; null where they were not run so.
    alone: Optional[float]


@dataclass(frozen=True)
class CompareNode:
    """A node of the top graph; null where a value is an input or stored."""

    #: "" where it has none.
    name: str
    op: str
    #: In the order of the top graph.
    index: int
    #: Its first output.
    output: str


@dataclass(frozen=True)
class CompareFirstDivergence:
    """The first value, in the order of A's graph, that B's nodes make wrong even from A's values; null where there
    is none.
    """

    a: str
    b: str
    #: That lie between it and the mapped values before it, its own maker first; at most 20.
    nodes_a: Tuple[Optional[CompareNode], ...]
    nodes_b: Tuple[Optional[CompareNode], ...]
    #: The largest |B - A| where B's nodes are given A's values.
    error: float
    #: What rounding explains.
    floor: float
    #: One sentence.
    message: str


@dataclass(frozen=True)
class CompareDecisions:
    """What is decided on the whole data set (--data), against the original at the same level of the runtime: of
    what users run, and of the safe recipe; else null.
    """

    level: str
    #: What was read off the outputs (docs/decisions.md).
    task: str
    #: That were compared.
    samples: int
    #: Samples on which the decision is another one.
    changed: int
    #: Of those, the ones that a draw of rounding changes likewise; at most 64 are drawn, the surest first.
    ties: int
    #: Samples on which one draw of rounding decides otherwise; 0 where nobody asked.
    changed_by_draw: int
    #: The variant changes significantly more than that draw (McNemar, 1 %).
    more_than_rounding: bool
    #: Samples on which it fails, or gives outputs that cannot be held against the original's.
    failures: int
    metrics: Dict[str, CompareDecisionMetric]
    #: Of the samples whose truth is known; null where there are none.
    against_labels: Optional[CompareDecisionsAgainstLabels]
    #: At most ten, where the original was surest first.
    worst: Tuple[CompareSampleDecision, ...]
    #: One sentence.
    message: str
    #: Samples on which both give NaN where a decision should be; they count as unchanged.
    undecided: Optional[int] = None
    #: Samples on which neither finds what the task looks for: no boxes, a vector of zeros. If it is all of them,
    #: there are no metrics.
    empty: Optional[int] = None
    #: Samples that nobody looked at; nothing is known of them.
    not_reached: Optional[int] = None


@dataclass(frozen=True)
class CompareDecisionMetric:
    """A number over all samples, with what it may be at 95 % confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class CompareDecisionsAgainstLabels:
    """Of the samples whose truth is known; null where there are none."""

    labelled: int
    reference: Dict[str, CompareDecisionMetric]
    variant: Dict[str, CompareDecisionMetric]


@dataclass(frozen=True)
class CompareSampleDecision:
    """What the original and a variant decide on one sample."""

    number: int
    #: Its name.
    sample: str
    reference: str
    variant: str
    #: How sure the original was of what is different, in the task's unit.
    margin: float


@dataclass(frozen=True)
class EvaluateRecord:
    """A whole report: culprit.eval/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: EvaluateTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    #: Version of ONNX Runtime.
    onnxruntime: str
    #: What is read off the outputs, and why.
    task: EvaluateTask
    data: EvaluateData
    #: In the order of the command line.
    models: Tuple[EvaluateEvaluated, ...]
    seconds: float
    #: Largest resident size of the process that evaluates.
    peak_bytes: int
    #: Ctrl-C came when some samples were evaluated: all figures are of those, and the warning `interrupted` says
    #: how many they are.
    interrupted: Optional[bool] = None
    #: Where models seem to agree, and that says nothing: undecided, no_boxes.
    warnings: Optional[Tuple[EvaluateWarning, ...]] = None


@dataclass(frozen=True)
class EvaluateTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class EvaluateTask:
    """What is read off the outputs, and why."""

    name: str
    reason: str
    #: false: chosen for want of a better one.
    is_sure: bool
    #: By which rules decisions are counted, a line each, for people: above which score boxes count.
    about: Optional[Tuple[str, ...]] = None


@dataclass(frozen=True)
class EvaluateData:
    """A part of what `Culprit evaluation` holds."""

    #: What the data are and how they are fed.
    about: Tuple[str, ...]
    has_labels: bool
    #: That could be read.
    samples: int
    unreadable: int
    skipped: Tuple[EvaluateLeftOut, ...]
    #: Samples that nobody looked at: it was sure before (--stop-when-sure), or Ctrl-C came.
    not_reached: Optional[int] = None


@dataclass(frozen=True)
class EvaluateLeftOut:
    """A part of what `Culprit evaluation` holds."""

    number: int
    sample: str
    reason: str


@dataclass(frozen=True)
class EvaluateEvaluated:
    """A part of what `Culprit evaluation` holds."""

    path: str
    model: EvaluateModel
    task: str
    #: That were compared.
    samples: int
    #: Of those, with a label.
    labelled: int
    #: Samples on which the model failed, or gave outputs that cannot be held against the first model's.
    failures: int
    failed: Tuple[EvaluateLeftOut, ...]
    #: null without labels.
    against_labels: Optional[Dict[str, EvaluateMetric]]
    #: Agreement with the first model; null of the first, and where no sample could be compared.
    against_first: Optional[Dict[str, EvaluateMetric]]
    #: Samples on which it decides otherwise than the first; null of the first, where no sample could be compared,
    #: and of the task tensor, which knows no decisions.
    changed: Optional[int]
    #: At most ten, where the first was surest.
    worst: Tuple[EvaluateEvaluatedWorst, ...]
    seconds_run: float
    #: --stop-when-sure; null where nobody asked, and of the first model.
    sure: Optional[EvaluateEvaluatedSure]
    #: Of classification with one row a sample: each class that was decided for or that a label names. Empty for
    #: other tasks.
    classes: Tuple[EvaluateEvaluatedClass, ...]
    #: How many samples of one class were taken for another, the most frequent first, at most 1,000 pairs: the
    #: confusion matrix without its diagonal.
    confused: Tuple[EvaluateEvaluatedConfused, ...]
    #: Of those, labels that are no class of the outputs.
    labels_outside: Optional[int] = None
    #: Why nothing can be said of this model, and it did not run any further: it does not load, or its outputs are
    #: others than the first model's; else null.
    unfit: Optional[str] = None
    #: Of classification with labels: samples on which the label is another one than the first model's, by who is
    #: right. null of the first, and without labels.
    label_changes: Optional[EvaluateEvaluatedLabelChanges] = None
    #: Samples on which both give NaN where a decision should be; they count as unchanged. null of the first.
    undecided: Optional[int] = None
    #: Samples on which neither finds what the task looks for: no boxes, a vector of zeros. If it is all of them,
    #: there are no metrics. null of the first.
    empty: Optional[int] = None
    #: What is measured of each class; of classification see `classes`. Added later: may be missing.
    by_class: Optional[EvaluateEvaluatedByClass] = None
    #: What scores tell at every threshold, against labels, as 101 points; null where there is none, as no_curves
    #: says. The areas below are in against_labels: auc and ap, with _macro or _micro behind. Added later: may be
    #: missing.
    curves: Optional[EvaluateEvaluatedCurves] = None
    #: Why there are none; null where there are, and without labels.
    no_curves: Optional[str] = None
    #: Do chances come true? null where outputs are no chances, as no_calibration says, and without labels. Added
    #: later: may be missing.
    calibration: Optional[EvaluateEvaluatedCalibration] = None
    #: Why nothing is said of it; null where it is, and without labels.
    no_calibration: Optional[str] = None
    #: Of classification: on how many samples the first model decides for one class and this model for another, the
    #: most frequent first, at most 1,000 pairs. Empty of the first. Added later: may be missing.
    became: Optional[Tuple[EvaluateEvaluatedBecame, ...]] = None


@dataclass(frozen=True)
class EvaluateModel:
    """A part of what `Culprit evaluation` holds."""

    #: As given on the command line.
    path: str
    #: Of the file; "" only where it could not be read.
    sha256: str
    bytes: int
    #: Subgraphs included.
    nodes: int
    initializers: int
    ir_version: int
    #: Version by domain; "" is ai.onnx.
    opsets: Dict[str, int]
    #: What a caller must feed: "data: float32[1,3,224,224]".
    inputs: Tuple[str, ...]
    outputs: Tuple[str, ...]


@dataclass(frozen=True)
class EvaluateMetric:
    """A number over all samples, with what it may be at 95 % confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class EvaluateEvaluatedWorst:
    """A part of what `Culprit evaluation` holds."""

    number: int
    sample: str
    reference: str
    variant: str
    margin: float


@dataclass(frozen=True)
class EvaluateEvaluatedSure:
    """A part of what `Culprit evaluation` holds."""

    share: float
    delta: float
    answer: str
    #: After which the answer stood.
    samples: int


@dataclass(frozen=True)
class EvaluateEvaluatedClass:
    """A part of what `Culprit evaluation` holds."""

    class_: str
    #: Samples that the model put there: of those with a label, if any has one.
    decided: int
    #: Samples that belong there.
    labelled: int
    #: Both.
    right: int
    #: right / decided; null where nothing was decided for it.
    precision: Optional[float]
    #: right / labelled; null without labels.
    recall: Optional[float]
    #: 2 right / (decided + labelled); null where no sample belongs there.
    f1: Optional[float] = None


@dataclass(frozen=True)
class EvaluateEvaluatedConfused:
    """A part of what `Culprit evaluation` holds."""

    truth: str
    #: null: no class, for the scores are NaN.
    decided: Optional[str]
    samples: int


@dataclass(frozen=True)
class EvaluateEvaluatedLabelChanges:
    """A part of what `Culprit evaluation` holds."""

    #: This model is right, the first was not.
    gained: int
    #: The first model is right, this one is not.
    lost: int
    #: Neither is right.
    both_wrong: int


@dataclass(frozen=True)
class EvaluateEvaluatedByClass:
    """What is measured of each class; of classification see `classes`. Added later: may be missing."""

    #: Empty without labels.
    against_labels: Tuple[EvaluateClassMetric, ...]
    #: Empty of the first.
    against_first: Tuple[EvaluateClassMetric, ...]


@dataclass(frozen=True)
class EvaluateClassMetric:
    """A part of what `Culprit evaluation` holds."""

    class_: str
    #: What belongs to it: boxes, pixels, samples.
    there: int
    #: ap_50, ap_75, ap_50_95 and ar of detection; iou of segmentation; precision, recall, f1, ap and auc of
    #: multi_label; ap and auc of each class against the rest of classification.
    metrics: Dict[str, float]


@dataclass(frozen=True)
class EvaluateEvaluatedCurves:
    """A part of what `Culprit evaluation` holds."""

    #: one_class: one of two; macro: the mean of each class against the rest; micro: all classes together.
    kind: str
    #: Of one_class.
    class_: Optional[str]
    #: hit_rate: the share that is found of what is there, at the shares of false alarms 0, 0.01, ... 1.
    roc: EvaluateEvaluatedCurvesRoc
    #: precision: the share that is right of what is found, at the first threshold with a recall of 0, 0.01, ... 1.
    precision_recall: EvaluateEvaluatedCurvesPrecisionRecall


@dataclass(frozen=True)
class EvaluateEvaluatedCurvesRoc:
    """hit_rate: the share that is found of what is there, at the shares of false alarms 0, 0.01, ... 1."""

    #: 101 numbers.
    hit_rate: Tuple[float, ...]
    #: The score of each point; empty of macro, which is a mean of curves.
    thresholds: Tuple[float, ...]


@dataclass(frozen=True)
class EvaluateEvaluatedCurvesPrecisionRecall:
    """precision: the share that is right of what is found, at the first threshold with a recall of 0, 0.01, ... 1."""

    #: 101 numbers.
    precision: Tuple[float, ...]
    #: The score of each point; empty of macro, which is a mean of curves.
    thresholds: Tuple[float, ...]


@dataclass(frozen=True)
class EvaluateEvaluatedCalibration:
    """A part of what `Culprit evaluation` holds."""

    predictions: int
    ece: float
    mce: float
    brier: EvaluateMetric
    #: By how much that is more than the first model's; null of the first. The interval of Brier is that of the
    #: difference sample by sample.
    against_first: Optional[EvaluateEvaluatedCalibrationAgainstFirst]
    #: 15 of one width.
    bins: Tuple[EvaluateEvaluatedCalibrationBin, ...]


@dataclass(frozen=True)
class EvaluateEvaluatedCalibrationAgainstFirst:
    """A part of what `Culprit evaluation` holds."""

    ece: float
    mce: float
    brier: Optional[EvaluateMetric]


@dataclass(frozen=True)
class EvaluateEvaluatedCalibrationBin:
    """A part of what `Culprit evaluation` holds."""

    #: The lower end, which the bin does not hold (the first does).
    above: float
    count: int
    #: Their mean; null of an empty bin.
    confidence: Optional[float]
    #: Share that came true.
    right: Optional[float]


@dataclass(frozen=True)
class EvaluateEvaluatedBecame:
    """A part of what `Culprit evaluation` holds."""

    first: str
    #: null: no class, for the scores are NaN.
    decided: Optional[str]
    samples: int


@dataclass(frozen=True)
class EvaluateWarning:
    """A part of what `Culprit evaluation` holds."""

    code: str
    message: str


@dataclass(frozen=True)
class ProfileRecord:
    """A whole report: culprit.profile/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: ProfileTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    environment: ProfileEnvironment
    #: How time was taken: blocks of interleaved runs, or as OTX does.
    protocol: str
    #: What the samples are, one line.
    data: str
    samples: int
    #: Index into entries; where models have baselines of their own, the first one.
    baseline: int
    entries: Tuple[ProfileEntry, ...]
    #: --blame.
    blames: Tuple[ProfileBlame, ...]
    #: An unsteady machine, what could not be read and why.
    warnings: Tuple[ProfileWarning, ...]
    #: Of runs, each in processes of its own.
    blocks: int
    #: At the samples so far, by --until-sure.
    looks: int
    #: Not all was measured.
    interrupted: bool
    seconds: float
    #: Largest resident size of the process that profiles.
    peak_bytes: int
    #: The file of --baseline.
    kept: Optional[str]
    #: Rows that are worse than in that file, beyond what chance explains.
    regressions: Tuple[ProfileRegression, ...]
    #: On what the rows decided, and what was read off their outputs, a line each; empty: nobody asked. Reports of
    #: older versions lack it.
    quality_about: Optional[Tuple[str, ...]] = None
    #: What the CPUs can do at most with so many threads, measured by loops of our own; null where no node on the
    #: CPU was timed, or it could not be measured. Reports of older versions lack it.
    limits: Optional[ProfileLimits] = None
    #: --sweep: each row at each batch and each number of threads; null where nobody asked. Reports of older
    #: versions lack it.
    sweep: Optional[ProfileSweep] = None


@dataclass(frozen=True)
class ProfileTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class ProfileEnvironment:
    """What the numbers depend on."""

    #: Version of ONNX Optimizer.
    onnx_optimizer: str
    #: Version of ONNX.
    onnx: str
    #: Version of the ONNX Runtime library that ran the models; "" where none ran.
    onnxruntime: str
    #: Execution provider.
    provider: str
    #: Threads inside one run.
    threads: int
    cpu: str
    cores: int
    #: The optimizer under test (--optimizer). `steps`: those that were found in this library of a runtime, for
    #: other versions have other ones; of other optimizers none.
    optimizer: ProfileEnvironmentOptimizer
    os: str


@dataclass(frozen=True)
class ProfileEnvironmentOptimizer:
    """The optimizer under test (--optimizer). `steps`: those that were found in this library of a runtime, for
    other versions have other ones; of other optimizers none.
    """

    name: str
    version: str
    steps: Tuple[str, ...]


@dataclass(frozen=True)
class ProfileEntry:
    """A part of what `Culprit profile` holds."""

    #: Short, and unlike all others.
    name: str
    #: Path as given.
    model: str
    #: null: none.
    optimizer: Optional[str]
    #: Steps that ran; empty: all of the level, or none.
    recipe: Tuple[str, ...]
    #: Steps of the level that were left out.
    disabled: Tuple[str, ...]
    #: Of the runtime: "off", "all".
    level: str
    #: Its version.
    runtime: str
    #: "CPU".
    provider: str
    verdict: Optional[str]
    #: Where it failed; null where it did not.
    failed_at: Optional[str]
    #: "", or in one line where and why it failed; what was measured before that stands.
    failure: str
    #: Subgraphs included; null where the model was never made.
    nodes: Optional[int]
    #: By operator type: "Conv", "com.microsoft.FusedConv".
    ops: Dict[str, int]
    graph: Optional[ProfileGraph]
    seconds: Optional[ProfileTime]
    ratio: Optional[ProfileRatio]
    #: One for each block of runs, in their order: what ratio rests on.
    block_ratios: Tuple[float, ...]
    #: Of making the session, with what the runtime optimizes meanwhile.
    load: Optional[ProfileTime]
    #: Of that, or of the optimizer's own process: seconds of optimizing.
    optimizing: Optional[float]
    #: Runs a second, one after the other: 1 / the median. Of samples a second there are batch times as many.
    throughput: Optional[float]
    #: Samples in one run; null where no open dimension of the inputs tells.
    batch: Optional[int]
    memory: Optional[ProfileMemory]
    node_times: Optional[ProfileNodeTimes]
    devices: Tuple[ProfileDevice, ...]
    #: Over the runs that ncu looked at.
    kernels: Tuple[ProfileKernel, ...]
    quality: Optional[ProfileQuality]
    warnings: Tuple[ProfileWarning, ...]
    #: Of that file. Reports of before this field was added lack it.
    model_sha256: Optional[str] = None
    #: Index of the entry that it is held against; of a baseline its own. Reports of before this field was added
    #: have one for all.
    baseline: Optional[int] = None
    #: Reports of older versions lack it.
    latency: Optional[ProfileLatency] = None
    #: Of a session, one in each block, on a sample that differs from block to block; `seconds` leaves it out.
    #: Reports of older versions lack it.
    first_run: Optional[ProfileTime] = None


@dataclass(frozen=True)
class ProfileGraph:
    """A part of what `Culprit profile` holds."""

    #: Nodes by provider and operator type, as the runtime placed them; {} where nobody ran.
    providers: Dict[str, Dict[str, int]]
    #: Elements of initializers.
    parameters: int
    #: Of one run; one multiply-add is 2.
    flops: Optional[float]
    #: Bytes that nodes read and write in one run, each node for itself.
    moved: Optional[float]
    #: Whose cost is not known, so that flops and moved lack theirs.
    nodes_uncounted: int
    #: With external data.
    file_bytes: int


@dataclass(frozen=True)
class ProfileTime:
    """A part of what `Culprit profile` holds."""

    median: float
    #: 10th percentile.
    p10: float
    #: 90th percentile.
    p90: float
    runs: int


@dataclass(frozen=True)
class ProfileRatio:
    """A part of what `Culprit profile` holds."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ProfileMemory:
    """A part of what `Culprit profile` holds."""

    #: Before the model was loaded.
    start: int
    load_peak: int
    run_peak: int
    #: What the runtime's own allocator held at most; null where it cannot tell.
    arena: Optional[int]
    #: The least that values alive at once need, from the graph alone.
    planned: Optional[int]


@dataclass(frozen=True)
class ProfileNodeTimes:
    """A part of what `Culprit profile` holds."""

    #: Of all nodes, of one run.
    nodes_seconds: float
    #: Of the run that they are part of.
    run_seconds: float
    #: Of the run, what the runtime's profile gives to no node.
    left_out_seconds: float
    runs: int
    #: The slowest first.
    nodes: Tuple[ProfileNode, ...]
    #: Of the baseline's nodes, those that are in no node's `baseline_seconds`; with these they add up to all of the
    #: baseline's nodes. Reports of older versions lack it.
    baseline_other_seconds: Optional[float] = None
    #: Because they waited for a CPU that other programs held. Reports of older versions lack it.
    runs_dropped: Optional[int] = None
    #: That a run which counts waited nevertheless, because too few did not: it is in its time, and in that of its
    #: nodes. Reports of older versions lack it.
    waited_seconds: Optional[float] = None


@dataclass(frozen=True)
class ProfileNode:
    """A part of what `Culprit profile` holds."""

    #: Its name.
    node: str
    #: Its type.
    op: str
    provider: str
    #: Nodes of the given model that it does the work of.
    originals: Tuple[str, ...]
    #: The median over runs, of one run (all calls in it).
    seconds: float
    #: Of all nodes' seconds.
    share: float
    #: Of one run.
    flops: Optional[float]
    #: Bytes.
    moved: Optional[float]
    #: That the baseline's nodes took for the same work; null where that cannot be told, or where another node of
    #: the same work has it: each node of the baseline is counted once.
    baseline_seconds: Optional[float]
    #: flops / seconds. Reports of older versions lack this and the next two.
    flops_per_second: Optional[float] = None
    #: moved / seconds.
    bytes_per_second: Optional[float] = None
    #: Arithmetic intensity: flops / moved.
    flops_per_byte: Optional[float] = None


@dataclass(frozen=True)
class ProfileDevice:
    """A part of what `Culprit profile` holds."""

    #: "NVIDIA H100".
    name: str
    #: "NVML", "RAPL".
    source: str
    #: Percent.
    utilization: Optional[ProfileSampled]
    #: Bytes in use.
    memory: Optional[ProfileSampled]
    #: Watts.
    power: Optional[ProfileSampled]
    #: Degrees Celsius.
    temperature: Optional[ProfileSampled]
    #: MHz.
    clock: Optional[ProfileSampled]
    #: A counter of energy, or power summed up over time.
    joules_from: Optional[str]
    #: Energy for one inference: all that the device took, also for being on, by runs.
    joules_a_run: Optional[float]
    readings: int


@dataclass(frozen=True)
class ProfileSampled:
    """A part of what `Culprit profile` holds."""

    mean: float
    most: float


@dataclass(frozen=True)
class ProfileKernel:
    """A part of what `Culprit profile` holds."""

    name: str
    calls: int
    #: Threads.
    block_size: float
    #: Blocks.
    grid_size: float
    #: Throughput of the SMs, of the most that is possible.
    sm_percent: float
    #: Throughput of the memory, likewise.
    memory_percent: float
    #: Warps at work on an SM, of the most that it can hold.
    occupancy_percent: Optional[float]
    #: All calls.
    seconds: float


@dataclass(frozen=True)
class ProfileQuality:
    """A part of what `Culprit profile` holds."""

    task: str
    samples: int
    #: Samples on which the decision is another one than the baseline's.
    changed: int
    #: Of those, the ones that rounding alone changes likewise.
    ties: int
    #: The entry against the baseline.
    metrics: Dict[str, ProfileMetric]
    #: null without labels.
    against_labels: Optional[ProfileQualityAgainstLabels]
    #: At most ten, where the baseline was surest.
    worst: Tuple[ProfileQualityWorst, ...]


@dataclass(frozen=True)
class ProfileMetric:
    """A number over all samples, with what it may be at 95 % confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ProfileQualityAgainstLabels:
    """A part of what `Culprit profile` holds."""

    #: Samples whose truth is known.
    labelled: int
    #: The baseline.
    reference: Dict[str, ProfileMetric]
    #: The entry.
    variant: Dict[str, ProfileMetric]


@dataclass(frozen=True)
class ProfileQualityWorst:
    """A part of what `Culprit profile` holds."""

    #: Of the sample.
    number: int
    reference: str
    variant: str
    margin: float


@dataclass(frozen=True)
class ProfileWarning:
    """A part of what `Culprit profile` holds."""

    #: Stable, lower_snake_case.
    code: str
    message: str


@dataclass(frozen=True)
class ProfileLatency:
    """A part of what `Culprit profile` holds."""

    min: float
    #: The median.
    p50: float
    #: 95 of 100 runs take no longer.
    p95: float
    #: 99 of 100 runs take no longer; of fewer than 100 runs it lies between the two slowest.
    p99: float
    max: float
    runs: int


@dataclass(frozen=True)
class ProfileBlame:
    """A part of what `Culprit profile` holds."""

    #: Its name.
    entry: str
    asked: Optional[str]
    #: That do it together; empty: none was found.
    steps: Tuple[str, ...]
    #: A known cause: "constants_became_inputs".
    because: Optional[str]
    #: Of these steps alone to none.
    with_: Optional[ProfileRatio]
    #: Of all but these to none.
    without: Optional[ProfileRatio]
    #: null where `without` was not measured; older versions wrote "ambiguous" then.
    without_verdict: Optional[str]
    #: What to set so that they are left out.
    workaround: Optional[str]
    #: Ratios that the search asked for.
    questions: int
    #: Of those, without a sure answer.
    unsure: int
    #: One line for people.
    message: str
    #: To all questions, in their order: these steps alone against the baseline. Reports of older versions lack this
    #: and what follows.
    answers: Optional[Tuple[ProfileBlameAnswer, ...]] = None
    #: The time was spent, and nobody knows yet which of these steps do it, or whether they do; empty: all is known.
    open: Optional[Tuple[str, ...]] = None
    #: Of measuring.
    seconds: Optional[float] = None
    #: That the rest of the search takes, about, at most, where one step does it; 0: none.
    seconds_left: Optional[float] = None
    #: Where no step is needed: by operator type, how many nodes more (or fewer) the optimizer's file has without
    #: any step than the model.
    ops_changed: Optional[Dict[str, int]] = None


@dataclass(frozen=True)
class ProfileBlameAnswer:
    """A part of what `Culprit profile` holds."""

    #: Empty: no step.
    steps: Tuple[str, ...]
    ratio: Optional[ProfileRatio]
    verdict: Optional[str]
    #: That measuring took; 0: the same graph had been measured before.
    seconds: float


@dataclass(frozen=True)
class ProfileRegression:
    """A part of what `Culprit profile` holds."""

    entry: str
    what: str
    #: Of quality.
    metric: Optional[str]
    #: Of time the ratio to the row that both reports are held against (the baseline; warning kept_rebased names
    #: another), of memory bytes, of quality the metric.
    before: Optional[ProfileRatio]
    now: Optional[ProfileRatio]
    message: str


@dataclass(frozen=True)
class ProfileLimits:
    """A part of what `Culprit profile` holds."""

    #: On float32, multiply-adds in registers.
    flops_per_second: float
    #: From memory and to it, a triad.
    bytes_per_second: float
    threads: int
    #: "AVX-512".
    instructions: str
    #: That the triad went over.
    buffer_bytes: int
    #: The largest cache; 0: the system does not tell.
    cache_bytes: int


@dataclass(frozen=True)
class ProfileSweep:
    """A part of what `Culprit profile` holds."""

    #: Swept; empty: each row has its own.
    batches: Tuple[int, ...]
    #: Swept; empty: each row has its own.
    threads: Tuple[int, ...]
    #: Of runs, as those of the rows.
    blocks: int
    #: By entry, threads, batch.
    points: Tuple[ProfileSweepPoint, ...]


@dataclass(frozen=True)
class ProfileSweepPoint:
    """A part of what `Culprit profile` holds."""

    #: Name of the row.
    entry: str
    #: Samples in one run.
    batch: int
    #: Inside one run.
    threads: int
    #: null where it failed, or nobody measured it.
    latency: Optional[ProfileLatency]
    #: batch / median.
    samples_per_second: Optional[float]
    #: "", or in one line why it failed.
    failure: str


@dataclass(frozen=True)
class DiagnoseRecord:
    """A whole report: culprit.diagnosis/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: DiagnoseTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    environment: DiagnoseEnvironment
    #: What was converted.
    source: DiagnoseNetwork
    #: What came of it.
    target: DiagnoseNetwork
    data: DiagnoseData
    warnings: Tuple[DiagnoseWarning, ...]
    #: same: exit code 0. faulty: 1. The others: 3. not_judged: the target is rounded on purpose, and decides
    #: otherwise.
    status: str
    #: Why, where it is not `same`; "".
    message: str
    inputs: Tuple[DiagnoseBoundInput, ...]
    outputs: Tuple[DiagnoseBoundOutput, ...]
    decisions: Optional[DiagnoseDecisions]
    map: DiagnoseMap
    #: Weights of the source and those of the target that stand for them.
    parameters: Tuple[DiagnoseParameter, ...]
    #: In the source's order.
    layers: Tuple[DiagnoseLayerRow, ...]
    #: In the order of the network.
    faults: Tuple[DiagnoseFault, ...]
    #: Samples that ran, of either network.
    runs: int
    seconds: float
    #: Largest resident size of the process that diagnoses.
    peak_bytes: int
    #: With --intermediate: each file of the conversion behind the source, in order, the target last; else empty.
    #: Then faults are those of all files, and map, parameters and layers tell of the first wrong file and the one
    #: before it.
    stages: Optional[Tuple[DiagnoseStage, ...]] = None
    feeding: Optional[DiagnoseFeeding] = None
    keep: Optional[DiagnoseKeep] = None


@dataclass(frozen=True)
class DiagnoseTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class DiagnoseEnvironment:
    """What the numbers depend on."""

    #: Version of ONNX Optimizer.
    onnx_optimizer: str
    #: Version of ONNX.
    onnx: str
    #: Version of the ONNX Runtime library that ran the models; "" where none ran.
    onnxruntime: str
    #: Execution provider.
    provider: str
    #: Threads inside one run.
    threads: int
    cpu: str
    cores: int
    os: str


@dataclass(frozen=True)
class DiagnoseNetwork:
    """A part of what `Culprit diagnosis` holds."""

    path: str
    sha256: Optional[str]
    #: "ONNX", "TFLite", "TensorFlow".
    format: str
    layers: int


@dataclass(frozen=True)
class DiagnoseData:
    """What the model was fed."""

    #: synthesized, test_data_set, file, pictures, input; "" where nothing was run.
    source: str
    samples: int
    seed: int
    #: What symbolic dimensions were set to.
    dims: Dict[str, int]
    #: And in every second sample; empty where they are the same in all.
    other_dims: Dict[str, int]
    #: What was made up for inputs of which more than the type is known, and why.
    choices: Tuple[str, ...]
    #: How many of the samples, the last ones, are directed at the places where passes would fire.
    directed: int
    #: With what, and at which pass: "sample 2: ties into 'logits' (eliminate_nop_monotone_argmax)". At most 10.
    directions: Tuple[str, ...]


@dataclass(frozen=True)
class DiagnoseWarning:
    """A part of what `Culprit diagnosis` holds."""

    #: Stable name of the sort of warning.
    code: str
    message: str


@dataclass(frozen=True)
class DiagnoseBoundInput:
    """A part of what `Culprit diagnosis` holds."""

    source: str
    target: str
    #: How the axes lie in the target; "" as in the source.
    order: str
    #: Axes of the source in the order that the target has them; absent where none moves, or where they do not tell
    #: it all.
    axes: Optional[Tuple[int, ...]] = None


@dataclass(frozen=True)
class DiagnoseBoundOutput:
    """A part of what `Culprit diagnosis` holds."""

    source: str
    target: str
    order: str
    measurement: DiagnoseMeasurement
    #: Axes of the source in the order that the target has them; absent where none moves, or where they do not tell
    #: it all.
    axes: Optional[Tuple[int, ...]] = None


@dataclass(frozen=True)
class DiagnoseMeasurement:
    """A part of what `Culprit diagnosis` holds."""

    #: Largest |variant - reference|; "inf" where only one of them is finite.
    max_abs: float
    #: Largest |variant - reference| / |reference|; "inf" where the reference is 0 and the variant is not.
    max_rel: float
    #: Largest distance in units in the last place; 0 for types without.
    max_ulp: int
    #: Cosine similarity over the finite elements, the smallest over the samples.
    cosine: float
    #: Elements where NaN or infinity stands in one and not, or differently, in the other.
    nonfinite_mismatch: int
    #: Elements that differ at all.
    mismatched: int
    #: Elements that differ by more than rounding explains: by more than the floor, and no ties. None: equivalent.
    beyond_floor: int
    #: Of those, the ones that differ by more than the tolerance as well. None: deviates; else diverged.
    beyond_tolerance: int
    #: Elements that differ, and that rounding alone makes jump too: names, NaN and infinities, numbers behind a
    #: jump.
    ties: int
    #: Elements of directed samples that are NaN or infinite in the reference and finite in the variant; of a
    #: comparison none.
    finite_instead: int
    #: Elements compared, over all samples.
    elements: int
    #: The absolute tolerance used, of the scale of that element (see floor): |v - r| <= atol + rtol * |r|.
    atol: float
    #: The relative tolerance used.
    rtol: float
    #: What rounding may do to the element that is furthest beyond it, or comes nearest to that; 0 where no bit
    #: differs.
    floor: float
    #: How far that element is off.
    worst: float
    #: worst / floor: above 1 where an element is beyond what rounding explains; "inf" where nothing moves it, or it
    #: is a name.
    times: float
    #: Of the ties, those that no draw made jump: so few are as rare jumps are.
    by_share: int
    #: What no number tells: another shape or type, signed zeros; else "".
    note: str
    #: Errors that many elements share, and that rounding does not explain in so many of them, though it would in
    #: each; null where there are none. These elements count as beyond_floor.
    shared: Optional[DiagnoseMeasurementShared] = None
    #: Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    #: for each corner. Corners are by size.
    errors: Optional[DiagnoseMeasurementErrors] = None
    #: Where whole numbers that are stored as floats are others: the unit of which they all are multiples. They are
    #: compared exactly. Else null.
    unit: Optional[float] = None


@dataclass(frozen=True)
class DiagnoseMeasurementShared:
    """A part of what `Culprit diagnosis` holds."""

    #: ratio: all off by one share of their values; offset: all off to one side.
    kind: str
    #: What they share: of a ratio the share of the value, of an offset the mean error.
    off: float
    #: So much of it rounding explains, in the same unit.
    explained: float
    #: Elements that are off to that side, and beyond no limit by themselves.
    elements: int


@dataclass(frozen=True)
class DiagnoseMeasurementErrors:
    """Which other tolerances would let all elements of `beyond_floor` pass: those where off <= atol + rtol x size
    for each corner. Corners are by size.
    """

    #: |reference| and |variant - reference| of an element. An error of "inf" is passed by no tolerance: another
    #: shape, name or exact value, NaN.
    corners: Tuple[Tuple[float, ...], ...]
    #: Others may be off by so much more than the lines between the corners; "inf": nothing is known of them.
    slack: float


@dataclass(frozen=True)
class DiagnoseDecisions:
    """What is decided on the whole data set (--data), against the original at the same level of the runtime: of
    what users run, and of the safe recipe; else null.
    """

    level: str
    #: What was read off the outputs (docs/decisions.md).
    task: str
    #: That were compared.
    samples: int
    #: Samples on which the decision is another one.
    changed: int
    #: Of those, the ones that a draw of rounding changes likewise; at most 64 are drawn, the surest first.
    ties: int
    #: Samples on which one draw of rounding decides otherwise; 0 where nobody asked.
    changed_by_draw: int
    #: The variant changes significantly more than that draw (McNemar, 1 %).
    more_than_rounding: bool
    #: Samples on which it fails, or gives outputs that cannot be held against the original's.
    failures: int
    metrics: Dict[str, DiagnoseDecisionMetric]
    #: Of the samples whose truth is known; null where there are none.
    against_labels: Optional[DiagnoseDecisionsAgainstLabels]
    #: At most ten, where the original was surest first.
    worst: Tuple[DiagnoseSampleDecision, ...]
    #: One sentence.
    message: str
    #: Samples on which both give NaN where a decision should be; they count as unchanged.
    undecided: Optional[int] = None
    #: Samples on which neither finds what the task looks for: no boxes, a vector of zeros. If it is all of them,
    #: there are no metrics.
    empty: Optional[int] = None
    #: Samples that nobody looked at; nothing is known of them.
    not_reached: Optional[int] = None


@dataclass(frozen=True)
class DiagnoseDecisionMetric:
    """A number over all samples, with what it may be at 95 % confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class DiagnoseDecisionsAgainstLabels:
    """Of the samples whose truth is known; null where there are none."""

    labelled: int
    reference: Dict[str, DiagnoseDecisionMetric]
    variant: Dict[str, DiagnoseDecisionMetric]


@dataclass(frozen=True)
class DiagnoseSampleDecision:
    """What the original and a variant decide on one sample."""

    number: int
    #: Its name.
    sample: str
    reference: str
    variant: str
    #: How sure the original was of what is different, in the task's unit.
    margin: float


@dataclass(frozen=True)
class DiagnoseMap:
    """A part of what `Culprit diagnosis` holds."""

    #: Of the layers with parameters: found either way.
    percent: float
    #: Layers of the source that are computed.
    layers: int
    with_parameters: int
    #: Of those with parameters: their output is found in the target.
    found: int
    #: What is made of their output is.
    by_consumer: int
    not_found: int
    all_values: int
    values_found: int
    values: Tuple[DiagnoseMappedValue, ...]


@dataclass(frozen=True)
class DiagnoseMappedValue:
    """A part of what `Culprit diagnosis` holds."""

    source: str
    target: str
    order: str
    #: binding: it is an input or output. numbers: it has the same numbers on the path from the inputs. fed: the
    #: target was right behind it when it was given the value of the source.
    by: str
    error: float
    #: What rounding explains there. null: the two are so near that it was not asked for.
    floor: Optional[float]


@dataclass(frozen=True)
class DiagnoseParameter:
    """A part of what `Culprit diagnosis` holds."""

    layer: Optional[DiagnoseLayer]
    #: Of the source; of one that was derived, how it is made.
    tensor: str
    target: Optional[str]
    kind: str
    order: str
    mean_difference: float
    distance: float
    #: Numbers that are wrong.
    wrong: int


@dataclass(frozen=True)
class DiagnoseLayer:
    """A layer; null where there is none."""

    name: str
    type: str
    #: Of the layers of the network, as it was read; -1: none of them.
    number: int


@dataclass(frozen=True)
class DiagnoseLayerRow:
    """A part of what `Culprit diagnosis` holds."""

    source: Optional[DiagnoseLayer]
    target: Optional[DiagnoseLayer]
    found: str
    #: The largest difference of its output, as it came.
    error: Optional[float]
    #: And where the target is fed what is right behind each fault before.
    error_alone: Optional[float]
    #: What rounding explains there. null: the two are so near that it was not asked for, or nothing was found.
    floor: Optional[float]
    #: The largest mean difference of its parameters.
    parameter_difference: Optional[float]
    fault: Optional[str]


@dataclass(frozen=True)
class DiagnoseFault:
    """A part of what `Culprit diagnosis` holds."""

    id: str
    #: parameter: numbers of a weight are others. layout: the right numbers in a wrong order. precision: all numbers
    #: of a weight are rounded. hyperparameter: pads, strides, epsilon, axis, slope. graph: an operator is lost,
    #: added or exchanged, or an edge is crossed.
    class_: str
    #: The file of the conversion that added it (stages); "" where that is not known.
    stage: str
    source: Optional[DiagnoseLayer]
    #: Layers of the source that one node of the target holds.
    group: Tuple[Optional[DiagnoseLayer], ...]
    target: DiagnoseFaultTarget
    evidence: DiagnoseEvidence
    repair: DiagnoseFaultRepair
    #: The edit was made on a copy, and the layer came within the floor.
    confirmed: bool
    not_confirmed_because: str
    #: false: no sample shows it, made-up inputs of the layer do.
    reached: bool
    #: Folder below the run's that shows the fault by itself, with public packages; null where there is none.
    repro: Optional[str] = None


@dataclass(frozen=True)
class DiagnoseFaultTarget:
    """A part of what `Culprit diagnosis` holds."""

    node: Optional[DiagnoseLayer]
    tensor: Optional[str]
    attribute: Optional[str]


@dataclass(frozen=True)
class DiagnoseEvidence:
    """A part of what `Culprit diagnosis` holds."""

    kind: str
    numbers: Dict[str, float]
    #: The first wrong numbers, with their places.
    elements: Tuple[DiagnoseEvidenceElement, ...]
    message: str


@dataclass(frozen=True)
class DiagnoseEvidenceElement:
    """A part of what `Culprit diagnosis` holds."""

    source: Tuple[int, ...]
    target: Tuple[int, ...]
    right: float
    wrong: float


@dataclass(frozen=True)
class DiagnoseFaultRepair:
    """A part of what `Culprit diagnosis` holds."""

    edit: str
    right: str
    wrong: str
    #: Without the edit.
    error_before: float
    #: And with it.
    error_after: float
    #: What has these errors: the region of this layer alone, fed the source's values, or the outputs of the
    #: network.
    errors_of: Optional[str] = None


@dataclass(frozen=True)
class DiagnoseStage:
    """A part of what `Culprit diagnosis` holds."""

    file: DiagnoseNetwork
    #: Of the file; its path where two files have one name.
    name: str
    #: Against the source; as the status of the whole.
    status: str
    #: Against the file before it. right: right, as that is. inherited: wrong, without a fault of its own. added: it
    #: has a fault that the file before it does not have. mended: right, though that is wrong. unknown: it cannot be
    #: judged.
    step: str
    #: Name of the file that it was held against beside the source: the last one before it that runs.
    before: str
    #: How many faults it added, or why it cannot be judged; "".
    message: str
    #: Of each sample, the output that is furthest from the source's. Empty: it does not run.
    samples: Tuple[DiagnoseStageSample, ...]
    #: Ids of the faults that it added.
    faults: Tuple[str, ...]
    #: Those that came with the files before it.
    inherits: Tuple[str, ...]
    #: Those of the files before it that it no longer has.
    mends: Tuple[str, ...]


@dataclass(frozen=True)
class DiagnoseStageSample:
    """A part of what `Culprit diagnosis` holds."""

    #: Largest absolute difference.
    error: float
    #: An output is off by more than rounding explains.
    beyond_floor: bool
    #: And beyond the tolerance, of which --strict has none.
    wrong: bool


@dataclass(frozen=True)
class DiagnoseFeeding:
    """Is the target right, and only fed otherwise than the source? null where nobody looked at it: the target is
    right as the source is fed.
    """

    #: The way of feeding with which all outputs are right on all samples: "channels reversed". null: none does.
    fits: Optional[str]
    #: The largest difference of an output from the source's, as the target is fed.
    error_as_fed: float
    #: The target has data of its own (--target-data).
    own_data: bool
    #: Ways of feeding that were tried, the nearest first.
    tried: Tuple[DiagnoseFeedingTried, ...]
    #: Of data of its own: how they may be made of the source's, the nearest first.
    data: Tuple[DiagnoseFeedingData, ...]


@dataclass(frozen=True)
class DiagnoseFeedingTried:
    """A part of what `Culprit diagnosis` holds."""

    way: str
    #: The largest difference of an output from the source's, on the sample that is the furthest off.
    error: float
    #: All outputs are right so, on all samples.
    right: bool


@dataclass(frozen=True)
class DiagnoseFeedingData:
    """A part of what `Culprit diagnosis` holds."""

    way: str
    #: The mean difference over the mean size.
    apart: float
    #: They are made so, but for rounding.
    same: bool


@dataclass(frozen=True)
class DiagnoseKeep:
    """Of a target in fewer bits that is rounded as it should be and decides some samples otherwise: which layers to
    keep in float. Else null.
    """

    #: What the source's layers are rounded to: "int8 weights and uint8 values".
    rounding: str
    #: That were decided.
    samples: int
    #: Samples that the target decides otherwise than the source.
    changed_by_target: int
    #: And the source with all layers rounded. 0: then nothing is kept.
    changed_by_rounding: int
    #: What rounding each layer alone costs, the most costly first. Empty where rounding all changes nothing.
    layers: Tuple[DiagnoseKeepLayer, ...]
    #: The layers to keep in float, in the order of the source.
    kept: Tuple[Optional[DiagnoseLayer], ...]
    #: Of ONNX's quantizers that takes the names of these layers: "nodes_to_exclude", of converters to float16
    #: "node_block_list". "" for other formats.
    option: str
    #: With these in float, and all others rounded, no sample is decided otherwise.
    proven: bool
    #: Else so many are.
    changed_left: int
    #: Sets of layers that were tried; the ranking took one run for each layer besides.
    runs: int


@dataclass(frozen=True)
class DiagnoseKeepLayer:
    """A part of what `Culprit diagnosis` holds."""

    layer: Optional[DiagnoseLayer]
    #: Root of the mean square of what the outputs are off.
    error: float
    #: Samples that are decided otherwise, among those that were searched.
    changed: int


@dataclass(frozen=True)
class RepairRecord:
    """A whole report: culprit.repair/1."""

    #: Name and major version of this format.
    schema: str
    #: What wrote the report.
    tool: RepairTool
    #: The command line, word by word.
    command: Tuple[str, ...]
    environment: RepairEnvironment
    #: clean: nothing was wrong, and the output is a copy of the target. mended: the target was wrong, and the
    #: output is right. fed_right: the target is right where it is fed as `feeding` says, and the output is a copy.
    #: not_mended: nothing was written. cannot_judge: likewise, for nobody can tell what is right.
    status: str
    #: One sentence; of a target that was not mended why.
    message: str
    #: The file that was written; null where none was.
    output: Optional[str]
    #: Of that file.
    output_sha256: Optional[str]
    #: The file that says how to feed the target; null where none was written.
    feeding: Optional[str]
    #: What was changed at once, round by round. A fault that is hidden behind another is mended in a later round.
    rounds: Tuple[RepairRound, ...]
    #: The output as it was loaded again, at each level of the runtime.
    checks: Tuple[RepairCheck, ...]
    #: The target as it came: a report of culprit.diagnosis/1.
    before: Dict[str, Any]
    #: The last file that was tried, likewise; null where none was made.
    after: Optional[Dict[str, Any]]
    seconds: float
    #: Largest resident size of the process that diagnoses.
    peak_bytes: int


@dataclass(frozen=True)
class RepairTool:
    """What wrote the report."""

    name: str
    version: str


@dataclass(frozen=True)
class RepairEnvironment:
    """What the numbers depend on."""

    #: Version of ONNX Optimizer.
    onnx_optimizer: str
    #: Version of ONNX.
    onnx: str
    #: Version of the ONNX Runtime library that ran the models; "" where none ran.
    onnxruntime: str
    #: Execution provider.
    provider: str
    #: Threads inside one run.
    threads: int
    cpu: str
    cores: int
    os: str


@dataclass(frozen=True)
class RepairRound:
    """A part of what `Culprit repair` holds."""

    #: That were confirmed, each as in `faults` of culprit.diagnosis/1, with its repair and its proof.
    faults: Tuple[Dict[str, Any], ...]
    #: The largest difference of an output of the target from the source's, before the round.
    error_before: float
    #: And after it.
    error_after: float
    #: Was a file written with these edits, and read?
    made: bool
    #: Why not; else empty.
    why_not: str


@dataclass(frozen=True)
class RepairCheck:
    """A part of what `Culprit repair` holds."""

    #: Of the runtime's optimizations.
    level: str
    #: As the status of culprit.diagnosis/1.
    status: str
    #: Empty where it is right.
    message: str
    #: The largest difference of an output from the source's.
    error: float
    #: Samples that were judged.
    samples: int


#: The record of a whole report, by its `schema`.
RECORDS: Dict[str, Any] = {
    "culprit.report/1": CheckRecord,
    "culprit.compare/1": CompareRecord,
    "culprit.eval/1": EvaluateRecord,
    "culprit.profile/1": ProfileRecord,
    "culprit.diagnosis/1": DiagnoseRecord,
    "culprit.repair/1": RepairRecord,
}
