"""A stripped program that holds what published notes on tileiras 13.1 count, among things that only look like it.

Everything is written here: no byte comes from another program.  `truth` lists the address of each thing that is to be
found; whatever else is reported is a false positive.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.synthetic import synthetic_constructors, synthetic_data, synthetic_names
from tests.support.synthetic.elf_writer import CORE, EXECUTABLE, READ, SHARED, Block, ElfOptions, write_elf
from tests.support.synthetic.synthetic_memory import ZERO, ZERO_SIZE, Memory
from tests.support.synthetic.x86_code import Code

CONVERSION_TABLES, REWRITE_TABLES, CLUSTER = 712, 235, 43
PASS_MODELS = 30
MASK_FUNCTIONS = 28


@dataclass(frozen=True)
class Figures:
    """How much of each thing; by default what the notes count."""

    conversion: int = CONVERSION_TABLES
    rewrite: int = REWRITE_TABLES
    constructors: int = 653
    mnemonics: int = 1500
    bodies: int = 400


SMALL = Figures(conversion=50, rewrite=8, constructors=90, mnemonics=40, bodies=30)
"""Enough of everything, and small enough to look at thousands of times."""


@dataclass
class Truth:
    """What is in the program, by kind: addresses, or names with addresses."""

    conversion: set[int] = field(default_factory=set[int])
    rewrite: set[int] = field(default_factory=set[int])
    cluster: tuple[int, int] = (0, 0)
    pass_models: dict[int, str] = field(default_factory=dict[int, str])
    passes: dict[str, int] = field(default_factory=dict[str, int])
    mask_sites: set[int] = field(default_factory=set[int])
    decoders: set[int] = field(default_factory=set[int])
    sentinel_functions: set[int] = field(default_factory=set[int])
    constructors: tuple[int, ...] = ()
    constructor_table: int = 0
    roles: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])
    referenced: set[int] = field(default_factory=set[int])
    objects: dict[int, str] = field(default_factory=dict[int, str])
    heap_objects: dict[int, str] = field(default_factory=dict[int, str])
    object_cluster: tuple[int, int, int] = (0, 0, 0)
    dense: dict[int, tuple[int, int, int, int]] = field(default_factory=dict[int, tuple[int, int, int, int]])
    swiss: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    pools: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    dialects: set[str] = field(default_factory=set[str])
    operations: set[str] = field(default_factory=set[str])
    classes: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


class Program:
    """The program under construction."""

    def __init__(self, seed: int = 13, figures: Figures | None = None) -> None:
        self.memory = Memory(seed)
        self.figures = figures or Figures()
        self.truth = Truth()
        self._shared()
        self._conversion_tables()
        self._rewrite_tables()
        self._pass_models()
        self._sites()
        synthetic_names.add(self.memory, self.truth)
        synthetic_data.add(self.memory, self.truth, self.figures.mnemonics)
        synthetic_constructors.add(self.memory, self.truth, self.figures.constructors)
        self.memory.noise(64)

    def _shared(self) -> None:
        """Functions that the tables of patterns share."""
        memory = self.memory
        self.destructor = memory.some_function()
        self.empty = memory.empty_function()
        self.name = memory.function(lambda code: code.raw("488b4728 488b5730 c3"))
        self.generated = memory.function(lambda code: code.raw("488d4738 c3"))
        self.bodies = [memory.some_function() for _ in range(self.figures.bodies)]

    def _any(self) -> int:
        return self.memory.random.choice(self.bodies)

    def _conversion_slots(self) -> list[int]:
        """Typeinfo helper, deleting destructor, the shared pair, name, match, rewrite, dependent operations."""
        return [
            self._any(),
            self._any(),
            self.destructor,
            self.empty,
            self.name,
            self._any(),
            self._any(),
            self.generated,
        ]

    def _conversion_tables(self) -> None:
        memory, truth = self.memory, self.truth
        memory.noise(3)
        cluster = [memory.table(self._conversion_slots()) for _ in range(CLUSTER)]
        truth.cluster = (cluster[0], cluster[-1])
        truth.conversion |= set(cluster)
        memory.noise(5)
        while len(truth.conversion) < self.figures.conversion:
            group = min(memory.random.randrange(1, 9), self.figures.conversion - len(truth.conversion))
            truth.conversion |= {memory.table(self._conversion_slots()) for _ in range(group)}
            self._conversion_decoy()
            memory.noise(memory.random.randrange(1, 6))

    def _conversion_decoy(self) -> None:
        """A table that differs from one of eight slots in one point."""
        memory, slots = self.memory, self._conversion_slots()
        which = memory.random.randrange(8)
        if which == 0:
            slots[2] = self._any()
        elif which == 1:
            slots[3] = self._any()
        elif which == 2:
            slots[2], slots[3] = slots[3], slots[2]
        elif which == 3:
            slots.pop()
        elif which == 4:
            slots.append(self._any())
        elif which == 5:
            slots[2] = self.empty
        memory.noise(1)
        prefix = (
            (memory.random.getrandbits(62) | 1,)
            if which == 6
            else (0, memory.string("type info"))
            if which == 7
            else (0, 0)
        )
        memory.table(slots, prefix)

    def _rewrite_tables(self) -> None:
        memory, truth = self.memory, self.truth
        while len(truth.rewrite) < self.figures.rewrite:
            group = min(memory.random.randrange(1, 7), self.figures.rewrite - len(truth.rewrite))
            for _ in range(group):
                truth.rewrite.add(
                    memory.table([self._any(), self._any(), self._any(), self._any(), self.name])
                )
            self._rewrite_decoy()
            memory.noise(memory.random.randrange(1, 6))

    def _rewrite_decoy(self) -> None:
        memory = self.memory
        slots = [self._any(), self._any(), self._any(), self._any(), self.name]
        which = memory.random.randrange(6)
        if which == 0:
            slots[3] = memory.empty_function()
        elif which == 1:
            slots[4] = self._any()
        elif which == 2:
            slots.append(self._any())
        elif which == 3:
            slots.pop(0)
        elif which == 4:
            slots[3] = memory.function(lambda code: code.raw("31c0c3"))
        memory.noise(1)
        memory.table(slots, (1, 1) if which == 5 else (0, 0))

    def _getter(self, text: str) -> int:
        """A function that returns a fixed string."""
        at = self.memory.string(text)
        return self.memory.function(lambda code: code.lea("rax", at).move("rdx", len(text)).ret())

    def _pass_models(self) -> None:
        memory, truth = self.memory, self.truth
        required = [memory.function(lambda code, n=n: code.move("rax", n).ret()) for n in (0, 1)]
        for number in range(PASS_MODELS):
            name = f"SyntheticPass{number}"
            slots = [
                self._any(),
                self._any(),
                self._any(),
                self._getter(name),
                required[number & 1],
                self._any(),
            ]
            truth.pass_models[memory.table(slots)] = name
        decoys = (
            [self._any(), self._any(), self._any(), self._getter("NotAPass"), self._any(), self._any()],
            [self._any(), self._any(), self._any(), self._any(), required[0], self._any()],
            [self._any(), self._any(), self.empty, self._getter("NoRun"), required[0], self._any()],
            [self._any(), self._any(), self._any(), self._getter("Five"), required[0]],
        )
        for slots in decoys:
            memory.noise(1)
            memory.table(slots)
        self._passes()

    def _passes(self) -> None:
        """Tables of passes: thirteen slots, three of which return name, argument and description."""
        for number in range(8):
            option = f"synthetic-pass-{number}"
            slots = [self._any() for _ in range(13)]
            slots[2], slots[4] = self._getter(f"SyntheticPass{number}"), self._getter(option)
            slots[5] = self._getter(f"Does thing number {number}.")
            self.truth.passes[option] = self.memory.table(slots)
            self.memory.noise(1)
        slots = [self._any() for _ in range(13)]
        slots[2], slots[4] = self._getter("Not A Pass"), self._getter("Not an option")
        self.memory.table(slots)
        self.memory.noise(1)
        slots[2], slots[4] = self._any(), self._getter("lonely-option")
        self.memory.table(slots)

    def _sites(self) -> None:
        """Functions that mask operand counts, decoys that almost do, and the decoder of trailing storage."""
        memory, truth = self.memory, self.truth
        for number in range(MASK_FUNCTIONS):
            register = ("rax", "rcx", "rdx", "rsi")[number % 4]
            base = ("rdi", "rbx", "rsi", "rdx")[number % 4] if register != "rsi" else "rdi"
            if number % 7 == 6:
                start = memory.function(
                    lambda code: code.raw("53").move("rax", 0x7FFFFFF).raw("2347 28").raw("5b c3")
                )
                truth.mask_sites.add(start + 1)
                continue
            middle = "4889fb" * (number % 3)
            start = memory.function(
                lambda code, r=register, b=base, m=middle: (
                    code.raw("53").load_field(r, b, 0x28).raw(m).mask(r, 0x7FFFFFF).raw("5bc3")
                )
            )
            truth.mask_sites.add(start + 4 + len(bytes.fromhex(middle)))
        memory.function(lambda code: code.load_field("rax", "rdi", 0x24).mask("rax", 0x7FFFFFF).ret())
        memory.function(lambda code: code.load_field("rax", "rdi", 0x28).mask("rax", 0x7FFFFFFF).ret())
        memory.function(lambda code: code.load_field("rax", "rdi", 0x28).mask("rcx", 0x7FFFFFF).ret())
        memory.function(
            lambda code: code.load_field("rcx", "rdi", 0x28).raw("31c9").mask("rcx", 0x7FFFFFF).ret()
        )
        memory.function(lambda code: code.load_byte("rax", "rdi", 0x28).mask("rax", 0x7FFFFFF).ret())
        self._decoder()
        self._sentinels()

    def _decoder(self) -> None:
        """The seven lines of the notes; then the same with one step missing."""

        def write(code: Code, *, count: bool, scale: str, rounding: str) -> int:
            code.raw("f7472cffff7f00").raw("7501c3")
            code.load_byte("rax", "rdi", 0x2E).raw("c0e807").raw("48c1e004")
            at = code.here
            code.load_byte("rcx", "rdi", 0x2F).raw("488d04c8").raw("488d443847").raw(f"4883e0{rounding}")
            code.load_field("rcx", "rdi", 0x28 if count else 0x24).mask("rcx", 0x7FFFFFF)
            code.raw(f"48c1e1{scale}").raw("4801c8").ret()
            return at

        places: list[int] = []
        self.memory.function(lambda code: places.append(write(code, count=True, scale="05", rounding="f8")))
        self.truth.decoders.add(places[0])
        start = self.memory.functions[-1]
        body = bytes(self.memory.code.bytes[start - self.memory.code.address :])
        self.truth.mask_sites.add(start + body.index(b"\x81\xe1\xff\xff\xff\x07"))
        self.memory.function(lambda code: write(code, count=False, scale="05", rounding="f8"))
        self.memory.code.bytes += b"\xcc" * 128
        self.memory.function(lambda code: write(code, count=False, scale="04", rounding="f8"))
        self.memory.code.bytes += b"\xcc" * 128
        self.memory.function(lambda code: write(code, count=False, scale="05", rounding="f0"))
        self.memory.code.bytes += b"\xcc" * 128

    def _sentinels(self) -> None:
        """Functions that compare with both reserved keys, and some that compare with one."""
        for _ in range(9):
            start = self.memory.function(
                lambda code: code.raw("4881ff00f0ffff 7408 4881ff00e0ffff 7401 c3 31c0c3")
            )
            self.truth.sentinel_functions.add(start)
        self.memory.function(lambda code: code.raw("4881ff00f0ffff 7401 c3 31c0c3"))
        self.memory.function(lambda code: code.raw("48c7c000e0ffff c3"))

    # -- files

    def _frames(self) -> bytes:
        """A table of function starts as exception handling has it."""
        at = self.memory.text.here + (-self.memory.text.here % 8)
        pairs = b"".join(
            (start - at).to_bytes(4, "little", signed=True) + bytes(4)
            for start in sorted(self.memory.functions)
        )
        return b"\x01\x1b\x03\x3b" + bytes(4) + len(self.memory.functions).to_bytes(4, "little") + pairs

    def blocks(self) -> list[Block]:
        """The memory of the program."""
        memory = self.memory
        frames = self._frames()
        at = memory.text.here + (-memory.text.here % 8)
        return [
            Block(".text", memory.code.address, bytes(memory.code.bytes), 5),
            Block(".rodata", memory.text.address, bytes(memory.text.bytes), READ),
            Block(".eh_frame_hdr", at, frames, READ),
            Block(".data", memory.data.address, bytes(memory.data.bytes), 6),
            Block(".bss", ZERO, b"", 6, size=ZERO_SIZE, kind=8),
        ]

    def executable(self, *, sections: bool = True) -> bytes:
        """A stripped executable at fixed addresses."""
        return write_elf(self.blocks(), ElfOptions(EXECUTABLE, sections))

    def core(self) -> bytes:
        """A core dump of it: no sections, and the heap."""
        heap = Block("heap", self.memory.heap.address, bytes(self.memory.heap.bytes), 6)
        return write_elf([*self.blocks(), heap], ElfOptions(CORE, sections=False))

    def library(self) -> bytes:
        """A shared library whose addresses in data are relocations; the words themselves are zero."""
        blocks = self.blocks()
        data = bytearray(blocks[3].data)
        relocations = bytearray()
        for at in range(0, len(data) - 7, 8):
            word = int.from_bytes(data[at : at + 8], "little")
            if any(b.address <= word < b.address + b.memory_size for b in blocks):
                relocations += (blocks[3].address + at).to_bytes(8, "little") + (8).to_bytes(8, "little")
                relocations += word.to_bytes(8, "little")
                data[at : at + 8] = bytes(8)
        blocks[3] = Block(".data", blocks[3].address, bytes(data), 6)
        table = Block(".rela.dyn", 0x8000000, bytes(relocations), READ, kind=4)
        entries = ((7, table.address), (8, len(relocations)), (9, 24), (0, 0))
        dynamic = b"".join(tag.to_bytes(8, "little") + value.to_bytes(8, "little") for tag, value in entries)
        return write_elf(
            [*blocks, table, Block(".dynamic", 0xA000000, dynamic, 6, kind=6)], ElfOptions(SHARED, True)
        )
