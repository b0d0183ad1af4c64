"""The declarations of all reports in JSON: a class for each object, a comment for each key that needs one.

Functions that make reports have these classes as their results, so that the type checker holds them together;
`tools.report_schema` derives the schema and the page of the reference from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

Schema = Annotated[int, "the version of the report: it rises when a key goes away or changes its meaning"]
Seconds = Annotated[dict[str, float], "seconds by step"]


class PlaceReport(TypedDict):
    """A position in a program or module; null where unknown."""

    file: str | None
    line: Annotated[int | None, "counted from 1"]
    column: Annotated[int | None, "counted from 1"]


class Note(PlaceReport):
    """A note of a diagnostic: its message, and the source position that it is about."""

    message: str


class EditReport(TypedDict):
    """A change of one line of a source, which mends a problem."""

    file: str
    line: Annotated[int, "counted from 1"]
    column: Annotated[int, "the first character that is replaced, counted from 1"]
    end_column: Annotated[int, "the character behind the last one that is replaced"]
    replaced: Annotated[str, "the characters that are replaced"]
    text: Annotated[str, "the new characters"]


class DiagnosticReport(PlaceReport):
    """An error, a warning or a finding: its severity, code and message, its position in the source, in a
    binary file and in the module, and its notes and hints.
    """

    severity: Literal["error", "warning", "note", "remark"]
    code: Annotated[str | None, "such as TW0406; `tilewright explain` has a page for each"]
    title: Annotated[str | None, "the title of that page"]
    message: str
    offset: Annotated[int | None, "the byte of a binary file at which it is wrong"]
    operation: Annotated[str | None, "the path of the operation, from the module inwards"]
    calls: Annotated[list[PlaceReport], "the call sites, from the innermost outwards"]
    notes: list[Note]
    hints: Annotated[list[str], "ways out"]
    fixes: NotRequired[Annotated[list[EditReport], "changes that certainly mend it"]]
    repeats: NotRequired[Annotated[int, "of `run`: how often the same was found again at this place"]]


class VerifiedInput(TypedDict):
    """The findings of `tilewright verify` in one input; the version of bytecode is null for text."""

    name: str
    kind: Literal["bytecode", "text"]
    bytecode_version: str | None
    valid: Annotated[bool, "false if there is an error among the diagnostics"]
    diagnostics: list[DiagnosticReport]


class Verification(TypedDict):
    """The report of `tilewright verify`: whether all inputs are valid, and the result for each input."""

    schema: Schema
    valid: Annotated[bool, "whether all inputs are"]
    inputs: list[VerifiedInput]


class ResultReport(TypedDict):
    """An array that `tilewright run` wrote to a file after the run; ``dtype`` is the NumPy type of an
    element.
    """

    file: str
    shape: list[int]
    dtype: str


class Run(TypedDict):
    """The report of `tilewright run`: findings, times of steps, written arrays, and launches of kernels."""

    schema: Schema
    findings: Annotated[list[DiagnosticReport], "empty if all went well"]
    seconds: Seconds
    results: list[ResultReport]
    kernels: NotRequired[
        Annotated[dict[str, int], "of a Python program: how often each kernel was launched with checks"]
    ]


class Compiled(TypedDict):
    """The result of compiling one file: its exit status, messages, written files, and the time of each stage."""

    file: str
    status: Annotated[int, "the exit status of the file alone"]
    messages: Annotated[list[str], "diagnostics as text"]
    outputs: Annotated[list[str], "the files that were written"]
    seconds: Seconds


class CompilationReport(TypedDict):
    """The report of `tilewright compile` for several files: the result for each file."""

    schema: Schema
    files: list[Compiled]


class Occurrence(TypedDict):
    """An operation of one of two compared modules: its path in the module, and its text."""

    path: Annotated[str, "names and positions from the module inwards"]
    text: str


class ChangedPartReport(TypedDict):
    """A part of an operation that differs, with its old and its new text; a side without the part is null."""

    part: str
    label: str | None
    old: str | None
    new: str | None


class ChangeReport(TypedDict):
    """An operation that differs; a side without the operation is null."""

    kind: Literal["added", "removed", "changed", "moved"]
    operation: str
    a: Occurrence | None
    b: Occurrence | None
    details: list[ChangedPartReport]


class Difference(TypedDict):
    """The report of `tilewright diff`: whether the modules are equal, and the operations that differ."""

    schema: Schema
    same: bool
    a: Annotated[str, "the first file"]
    b: Annotated[str, "the second file"]
    counts: Annotated[dict[str, int], "operations by kind of change"]
    changes: list[ChangeReport]


class TargetRow(TypedDict):
    """A target, with its summary. Targets that are not GPUs have the missing packages (``needs``); GPUs have
    ``works``, which tells whether the target is usable on this machine, and hints if it is not.
    """

    name: str
    summary: str
    needs: NotRequired[Annotated[list[str], "missing packages"]]
    works: NotRequired[bool]
    hints: NotRequired[list[str]]


class PackageRow(TypedDict):
    """A package that tilewright uses if it is installed, with its version, its extra and its purpose."""

    name: str
    version: Annotated[str | None, "null if it is missing"]
    extra: Annotated[str, "the extra of tilewright that brings it"]
    purpose: str


class ToolRow(TypedDict):
    """A program or file of NVIDIA that tilewright uses if it is found, with the package that has it."""

    name: str
    package: str
    path: Annotated[str | None, "null if it is missing"]
    purpose: str


class Processor(TypedDict):
    """The processor that kernels are compiled for: its name, the bits of its vectors, the number of threads
    that run tile blocks, and its matrix tiles: their kinds, or why they are not used, or nothing.
    """

    name: str
    vector_bits: int
    threads: int
    matrix_tiles: str


class Installation(TypedDict):
    """The report of `tilewright doctor`: versions, targets, optional packages and tools, and hints."""

    schema: Schema
    version: str
    python: str
    machine: str
    bytecode: Annotated[list[str], "the versions that can be read and written"]
    targets: list[TargetRow]
    processor: NotRequired[Processor]
    cache: NotRequired[Annotated[str, "the folder of compiled kernels"]]
    packages: list[PackageRow]
    tools: list[ToolRow]
    page: Annotated[bool, "whether the page of `tilewright explore` is there"]
    hints: Annotated[list[str], "the commands that install the missing packages and tools"]
    can_run: Annotated[bool, "whether kernels can be compiled and run here"]


class ExplanationReport(TypedDict):
    """The report of `tilewright explain`: the name, and its reference page."""

    name: str
    page: Annotated[str, "Markdown"]


class Registered(TypedDict):
    """A row of `tilewright registry`: the table, the name of the registered object, and a summary of it."""

    table: str
    name: str
    summary: str


class ByteLayout(TypedDict):
    """A row of `tilewright abi list`: a layout with its bytes, or a table with its slots, by profile."""

    family: str
    name: str
    bytes: NotRequired[dict[str, int]]
    slots: NotRequired[dict[str, int]]


class CacheRecord(TypedDict):
    """A row of `tilewright cache ls`: the key, the kernels, the size in bytes and the last use of a record."""

    key: str
    kernels: list[str]
    bytes: int
    used: Annotated[float, "when it was used last, in seconds since 1970"]


class CacheCheck(TypedDict):
    """The report of `tilewright cache verify`: the number of checked records, and the keys of damaged ones."""

    records: int
    damaged: Annotated[list[str], "the keys of records that were removed"]


class CacheRemoval(TypedDict):
    """The report of `tilewright cache prune` and `tilewright cache clear`: the number of removed bytes."""

    bytes_removed: int


class EvidenceReport(TypedDict):
    """An observation that a claim rests on: a description, and the address or section that was observed."""

    what: str
    address: NotRequired[Annotated[str, "hexadecimal"]]
    section: NotRequired[str]


class Claim(TypedDict):
    """A finding of `tilewright inspect`; figures of its kind are further keys."""

    name: str
    address: Annotated[str | None, "hexadecimal"]
    confidence: Annotated[float, "between 0 and 1"]
    evidence: list[EvidenceReport]


class BinarySection(TypedDict):
    """A section of a program: its name, its kind, its address in memory, its offset and size in the file in
    bytes, and its flags.
    """

    name: str
    kind: str
    address: Annotated[str, "hexadecimal"]
    offset: int
    size: int
    flags: str


class BinaryRegion(TypedDict):
    """A range of addresses of a program or core dump: name, address, size in bytes, and access rights."""

    name: str
    address: Annotated[str, "hexadecimal"]
    size: int
    rights: str


class InspectionNote(TypedDict):
    """A problem that limited an inspection, as a diagnostic: severity, code, message and hints."""

    severity: str
    code: str
    message: str
    hints: list[str]


class InspectionReport(TypedDict):
    """The report of `tilewright inspect` about a program; each kind of finding has a key with a list of claims."""

    schema: Literal["tilewright-inspect-1"]
    file: str
    format: str
    machine: str
    size: int
    header: dict[str, Any]
    sections: list[BinarySection]
    regions: list[BinaryRegion]
    notes: list[InspectionNote]


class CubinParameterReport(TypedDict):
    """A parameter of a kernel in a cubin: its number, and its offset and size in the parameters, in bytes."""

    ordinal: int
    offset: int
    size: int


class CubinAttributeReport(TypedDict):
    """An attribute of a kernel in a cubin: its number, its name, the bytes of its value, and its offset in
    bytes in its section.
    """

    number: int
    name: str
    value: Annotated[str, "hexadecimal"]
    offset: int


class CubinSpan(TypedDict):
    """A range of machine code, from ``start`` to ``end`` (exclusive) in bytes from the start of the kernel,
    and the lines that it comes from: ``tile_ir`` in the Tile IR text that ``text`` names, ``ptx`` in the PTX,
    and ``source`` in the program, as ``FILE:LINE``. 0 and an empty text mean no line.
    """

    start: int
    end: int
    tile_ir: int
    text: str
    ptx: int
    source: str


class CubinKernelReport(TypedDict):
    """A kernel in a cubin; null where a fact is unknown."""

    name: str
    code_bytes: int
    registers: int | None
    shared_bytes: int
    frame_bytes: int | None
    minimum_stack_bytes: int | None
    constant_bytes: Annotated[dict[str, int], "by bank"]
    barriers: int | None
    required_threads: list[int]
    maximum_threads: list[int]
    cluster: list[int]
    parameter_bytes: int | None
    parameter_offset: int | None
    cuda_version: str
    from_tile_ir: bool
    parameters: list[CubinParameterReport]
    attributes: list[CubinAttributeReport]
    lines: list[CubinSpan]


class CubinSection(TypedDict):
    """A section of a cubin: its name, its offset and size in the file in bytes, and its ELF type."""

    name: str
    offset: int
    size: int
    kind: Annotated[int, "the type of the section, as ELF has it"]


class CubinInspection(TypedDict):
    """The report of `tilewright inspect` about a cubin: its architecture, its kernels and sections, and the
    texts in PTX and Tile IR that it contains.
    """

    schema: Literal["tilewright-cubin-1"]
    file: str
    size: int
    architecture: str
    cuda_version: str
    tool: list[str]
    notes: list[str]
    kernels: list[CubinKernelReport]
    sections: list[CubinSection]
    ptx: Annotated[list[str], "lines of the PTX inside"]
    tile_ir: Annotated[dict[str, list[str]], "lines of texts in Tile IR, by name"]


class InstructionMix(TypedDict):
    """The instructions of a stretch of machine code: their number, their numbers by unit and by opcode, and
    the bytes that one thread loads from local memory and stores to it.
    """

    instructions: int
    units: dict[str, int]
    opcodes: dict[str, int]
    local_load_bytes: int
    local_store_bytes: int


class CyclesReport(TypedDict):
    """The static cycles of one warp for one iteration of a loop: `issue` adds up the stalls, `replayed` also
    waits for barriers, with assumed latencies, and `waits` counts the instructions that wait for a barrier.
    """

    issue: int
    replayed: int
    waits: int


class MachineLoop(InstructionMix):
    """A loop of machine code: its address, its nesting depth, its instructions, the number of its calls, and
    its static cycles, or null if they are not known.
    """

    address: int
    depth: int
    waits_only: Annotated[bool, "whether it does nothing but wait for others"]
    calls: int
    cycles: CyclesReport | None


class MachineCode(InstructionMix):
    """The instructions of a kernel, and the loops in them."""

    executed: Annotated[int, "instructions, with functions at each call"]
    loops: list[MachineLoop]
    hot_loop: Annotated[int | None, "the address of the loop that counts"]
    agents: Annotated[list[int], "addresses of the loops of other warps"]


class MachineKernel(TypedDict):
    """A kernel of a cubin with its resources and its code; sizes are bytes, and null stands for an unknown
    number.
    """

    name: str
    architecture: str
    registers: int | None
    stack: int | None
    shared: int
    constants: int
    barriers: int | None
    parameters: int
    parameter_bytes: int | None
    code_bytes: int
    code: NotRequired[Annotated[MachineCode, "left out if nothing could disassemble it"]]


class MachineFile(TypedDict):
    """A cubin with the figures of its kernels."""

    file: str
    kernels: list[MachineKernel]


class MachineReport(MachineFile):
    """The report of `tilewright sass`: the figures of a cubin, and with ``--against`` of another one."""

    schema: Literal["tilewright-sass-1"]
    against: NotRequired[MachineFile]


class AssembledKernel(TypedDict):
    """The resources of a kernel: registers, stack and spilled bytes of a thread, shared memory of a block in
    bytes, constant memory, and the number of barriers.
    """

    kernel: str
    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    shared: int
    constant: Annotated[dict[str, int], "bytes by bank"]
    barriers: int


class AssemblyReport(TypedDict):
    """The report of `tilewright ptx assemble`: the GPU, the assembler that ran, the cubin, the resources of
    each kernel, and the warnings.
    """

    schema: Schema
    file: str
    gpu: str
    assembler: str
    cubin: Annotated[str | None, "the file that was written"]
    cubin_bytes: int
    kernels: list[AssembledKernel]
    warnings: list[str]


class LineCostReport(TypedDict):
    """The cost of the accesses of a source line to shared or global memory (`space`): requests, and bank
    conflicts or sectors (`cost`); `least` is the minimum number of sectors, 0 for shared memory.
    """

    file: str
    line: int
    space: str
    requests: int
    cost: int
    least: int


class LineWorkReport(TypedDict):
    """The work of threads in a source line: instructions times threads, and the number of waits of warps for
    others. `waited` is the sum of the waits' durations, in instructions that others executed meanwhile.
    Without a trace, `waits` and `waited` are 0.
    """

    file: str
    line: int
    thread_instructions: int
    waits: int
    waited: int


class Simulation(TypedDict):
    """The report of `tilewright sim`: the numbers of blocks, of executed instructions (`steps`; times their
    threads: `thread_instructions`), of requests with bank conflicts or sectors of 32 bytes, of instructions
    by unit, and the costs and the work of source lines.
    """

    schema: Schema
    blocks: int
    steps: int
    thread_instructions: int
    shared_requests: int
    bank_conflicts: int
    global_requests: int
    sectors: int
    units: dict[str, int]
    lines: list[LineCostReport]
    work: list[LineWorkReport]


class ScheduledOperation(TypedDict):
    """An operation of a loop in `tilewright schedule`: its pipeline stage, the clock of its start, the clocks
    that it keeps each unit busy, and its latency.
    """

    operation: str
    location: str
    stage: int
    start: Annotated[int, "the clock of its start, counted from the start of its iteration"]
    busy: Annotated[dict[str, int], "the clocks that it keeps each unit busy"]
    latency: Annotated[int, "the clocks to its result"]


class LoopReport(TypedDict):
    """A loop in the report of `tilewright schedule`: the clocks between two iterations, the number of
    pipeline stages, the unit or the recurrence that limits it, the lower bounds of the interval in clocks,
    and the schedule of its operations.
    """

    kernel: str
    loop: Annotated[str, "file, line and column"]
    interval: Annotated[int, "the clocks between the starts of two iterations"]
    stages: int
    binding: Annotated[str, "the busiest unit, or `recurrence`"]
    serial_because: Annotated[str | None, "why iterations do not overlap"]
    bounds: dict[str, int]
    busy: Annotated[dict[str, int], "the clocks of each unit in an iteration"]
    operations: list[ScheduledOperation]


class ScheduleReport(TypedDict):
    """The report of `tilewright schedule`: a schedule for each innermost loop."""

    schema: Schema
    loops: list[LoopReport]


class LayoutReport(TypedDict):
    """The report of `tilewright layout`; further keys depend on the kind."""

    schema: Schema
    kind: Annotated[str, "`layout`, `kernel`, `swizzle` and so on"]
