"""The data of a page: what Python hands to the browser, as JSON.

The browser's side (``web/src/schema.ts``) declares the same records.  `VERSION` changes with their meaning.  A place is
a number: a position in `Page.places`, where -1 stands for no place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any

VERSION = 3


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a kernel was written in; ``text`` is empty when it cannot be read."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a source: ``source`` is an index in `Page.sources`; line and column count from 1, and the
    column is 0 if it is unknown.
    """

    source: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class LayoutTable:
    """A table of cells, drawn as boxes, with its title.

    ``rows`` and ``columns`` are the labels of rows and columns. ``cells`` and ``shades`` have a text for each
    row, which has its cells, separated by spaces. Cells of one shade belong to one group (in pictures of
    registers, to one thread), and have the color ``colors[shade % len(colors)]``.
    """

    title: str
    rows: list[str]
    columns: list[str]
    cells: list[str]
    shades: list[str]
    colors: list[str]


@dataclass(frozen=True, slots=True)
class TileValue:
    """A value of the stage `layouts`: its name and type, the number of its source position (``place``, -1 for
    none), and its line in the stage's text; 0 for none.
    """

    name: str
    type: str
    place: int
    line: int


@dataclass(frozen=True, slots=True)
class LayoutPicture:
    """A layout of a kernel; ``kind`` says of what: a tile in ``registers`` or in ``shared memory``, or the
    ``fragment`` of a matrix instruction. ``text`` is the layout in its notation, ``words`` its description,
    and ``values`` are the values with the layout, or made with it. ``tables`` draw it; if there are none,
    ``left_out`` says why.
    """

    kind: str
    text: str
    words: str
    values: list[TileValue]
    tables: list[LayoutTable]
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class ScheduleBar:
    """A step of a plan, from position ``begin`` to ``end`` in the order of execution, nested in ``depth``
    other steps. ``kind`` is ``nest``, ``product``, ``loop``, ``check`` or ``single``; ``title`` and ``words``
    describe the step, and ``place`` is the number of its source position.
    """

    kind: str
    title: str
    words: str
    depth: int
    begin: int
    end: int
    place: int


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage as text.

    ``language`` is ``mlir``, ``llvm``, ``asm``, ``ptx``, ``sass`` or ``text``. ``places`` has the source
    position of every line of ``text``. ``error`` says why there is no text. ``pictures`` show the layouts
    that the stage chose, and ``schedule`` has the steps that it planned.
    """

    name: str
    summary: str
    language: str
    text: str
    places: list[int]
    error: str = ""
    pictures: list[LayoutPicture] = field(default_factory=list[LayoutPicture])
    schedule: list[ScheduleBar] = field(default_factory=list[ScheduleBar])


@dataclass(frozen=True, slots=True)
class PatternRun:
    """The runs of one pattern, ``name``, in a pass: how often it was tried and matched, and in ``refusals``
    the most frequent reasons for declining, each with its number.
    """

    name: str
    tries: int
    matches: int
    refusals: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class PassRun:
    """One pass that changed the module: its name, its time in milliseconds, ``diff``, a unified diff of the
    text of the module, and in ``patterns`` the runs of each rewrite pattern.
    """

    name: str
    milliseconds: float
    diff: str
    patterns: list[PatternRun]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a checked run, or a diagnostic of the compiler. ``code`` is empty if it has none,
    ``severity`` is a word such as ``error``, ``text`` is the whole as a terminal shows it, ``place`` the
    number of its source position, -1 for none, and ``hints`` are ways to mend the problem.
    """

    code: str
    severity: str
    message: str
    text: str
    place: int
    hints: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a launch: its name in the program, and as ``value`` the type and extents of an array, or
    a number, as text.
    """

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Touch:
    """One access of a tile block: elements ``first``, ``first + step``, ... in runs, each ``[first, count,
    step]``. ``block`` is the number of the tile block, ``order`` the number of the access in the launch,
    ``kind`` a word such as ``load``, and ``place`` the number of its source position.
    """

    block: int
    order: int
    kind: str
    place: int
    runs: list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class ArrayMap:
    """The elements of an array that each tile block touched; ``element`` is their type.

    ``shape`` is the shape of the array, or its number of elements in memory if it is not contiguous; elements
    are counted in C order. ``conflicts`` has elements that two tile blocks touched, at least one of them
    writing, and not both by atomic operations. ``cut`` says that touches or conflicts are missing, because
    there were too many or the run did not come to its end.
    """

    name: str
    element: str
    shape: list[int]
    touches: list[Touch]
    conflicts: list[int]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost in the simulator of the accesses of one line, ``place``, to ``space``, ``shared`` or
    ``global`` memory. ``requests`` is the number of accesses of warps.

    ``cost`` counts bank conflicts or sectors of 32 bytes; ``least`` is the minimum number of sectors, 0 for
    shared memory.
    """

    place: int
    space: str
    requests: int
    cost: int
    least: int


@dataclass(frozen=True, slots=True)
class LineWork:
    """The work of simulated threads in a line: instructions times threads, and how often warps waited there for others.

    ``waited`` is the sum of these waits: the number of instructions that others executed meanwhile.
    """

    place: int
    instructions: int
    waits: int
    waited: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The tile blocks that ran in each lane, with their times: ``lanes`` are threads, or warps of the
    simulator. A bar is ``(lane, begin, end, tile block, place)``, where the place is the number of a source
    position, -1 for none; ``unit`` is ``ns`` or ``instructions``, counted from the first bar on. ``about``
    says how the times were recorded, or why there are none; ``cut`` says that bars are left out because there
    are too many.
    """

    unit: str = ""
    about: str = "The page was made without a run."
    lanes: list[str] = field(default_factory=list[str])
    bars: list[tuple[int, int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int, int]])
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Roof:
    """A limit of the machine, as it was measured: ``rate`` is in 10**9 ``unit`` (operations or bytes) in a second."""

    name: str
    unit: str
    rate: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """The operations of a launch, the bytes that it moves, and its time: 0 ``seconds`` if that was not
    measured. ``threads`` is the number of threads that ran tile blocks, and ``roofs`` are the limits of the
    machine. ``about`` says how the operations were counted, or why they were not.
    """

    operations: int = 0
    bytes: int = 0
    seconds: float = 0.0
    threads: int = 0
    roofs: list[Roof] = field(default_factory=list[Roof])
    about: str = "The page was made without a run."


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of a launch: its stages and passes, the findings of a checked run, the elements of arrays that
    it touched, the costs of accesses and the work of simulated threads for each line, the times of tile
    blocks, and the position in the roofline. ``milliseconds`` has the time of each step; ``reproducer`` is a
    program that launches the kernel again, with arguments of the same types and extents.
    """

    name: str
    target: str
    grid: list[int] = field(default_factory=list[int])
    arguments: list[Argument] = field(default_factory=list[Argument])
    stages: list[StageRecord] = field(default_factory=list[StageRecord])
    passes: list[PassRun] = field(default_factory=list[PassRun])
    findings: list[Finding] = field(default_factory=list[Finding])
    arrays: list[ArrayMap] = field(default_factory=list[ArrayMap])
    costs: list[Cost] = field(default_factory=list[Cost])
    milliseconds: dict[str, float] = field(default_factory=dict[str, float])
    work: list[LineWork] = field(default_factory=list[LineWork])
    timeline: Timeline = field(default_factory=Timeline)
    roofline: Roofline = field(default_factory=Roofline)
    reproducer: str = ""


@dataclass(slots=True)
class Page:
    """The contents of a page: kernels, the source files, and the positions in these, ``places``, to which
    other records refer by number. ``command`` made the page.

    ``problems`` say why the program ended, unless a finding of a kernel says it.
    """

    title: str
    command: str
    version: int = VERSION
    sources: list[Source] = field(default_factory=list[Source])
    places: list[Place] = field(default_factory=list[Place])
    kernels: list[Kernel] = field(default_factory=list[Kernel])
    problems: list[Finding] = field(default_factory=list[Finding])

    def json_text(self) -> str:
        """Return the page as JSON; a record is an object with its fields."""
        return json.dumps(self, default=_fields, separators=(",", ":"), ensure_ascii=False)

    def as_json(self) -> dict[str, Any]:
        """Return the page as nested dictionaries and lists."""
        return json.loads(self.json_text())


def _fields(record: Any) -> dict[str, Any]:
    return {one.name: getattr(record, one.name) for one in fields(record)}
