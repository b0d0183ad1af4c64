"""Data of a synthetic program: pattern objects of all shapes, hash tables of both families, encrypted pools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.synthetic.synthetic_memory import Area, Memory
from tilewright.abi.hash_tables import EMPTY, TOMBSTONE, PointerTable, SwissTable
from tilewright.abi.layouts.containers import DENSE_MAP, STD_FUNCTION
from tilewright.abi.layouts.patterns import GENERATED_OPS_MARKER, PATTERN_SHAPES
from tilewright.abi.pools import build, xor3

if TYPE_CHECKING:
    from tests.support.synthetic.synthetic_program import Truth

OBJECTS = {"A": 20, "B": 15, "C": 12, "D": 6}
CLUSTER, HEAP_OBJECTS = 9, 7
ARITH = ("addf", "addi", "andi", "bitcast", "cmpf", "cmpi", "divf", "mulf", "negf", "subf")


def add(memory: Memory, truth: Truth, mnemonics: int) -> None:
    """Write everything, decoys in between."""
    _Objects(memory, truth).write()
    _dense_tables(memory, truth)
    _swiss_tables(memory, truth)
    _pools(memory, truth, mnemonics)
    _text_noise(memory)


class _Objects:
    """Pattern objects."""

    def __init__(self, memory: Memory, truth: Truth) -> None:
        self.memory, self.truth = memory, truth
        self.context = memory.zero(64)
        self.converter = memory.zero(64)
        tables = sorted(truth.conversion)
        self.conversion = [tables[n % len(tables)] for n in range(100, 200)]
        tables = sorted(truth.rewrite)
        self.rewrite = [tables[n % len(tables)] for n in range(100)]
        self.closure = self._closure()
        self.number = 0

    def _closure(self) -> int:
        values = {"manager": self.memory.some_function(), "invoker": self.memory.some_function()}
        return self.memory.data.put(STD_FUNCTION.encode(values) + bytes(8), 16)

    def write(self) -> None:
        for shape, count in OBJECTS.items():
            for number in range(count):
                table = (self.rewrite if shape == "A" else self.conversion)[number]
                self.truth.objects[self._object(self.memory.data, shape, table)] = shape
                self.memory.noise(1 + number % 3)
            self._decoys(shape)
        self.memory.noise(3)
        cluster = [self._object(self.memory.data, "C", self.conversion[50]) for _ in range(CLUSTER)]
        self.truth.objects |= dict.fromkeys(cluster, "C")
        self.truth.object_cluster = (cluster[0], PATTERN_SHAPES["C"].size, CLUSTER)
        self.memory.noise(3)
        for number in range(HEAP_OBJECTS):
            shape = "ABCD"[number % 4]
            table = (self.rewrite if shape == "A" else self.conversion)[number]
            self.truth.heap_objects[self._object(self.memory.heap, shape, table)] = shape
            self.memory.heap.words(*[0x1111] * (1 + number))

    def _object(self, area: Area, shape: str, table: int, **changed: object) -> int:
        return area.put(PATTERN_SHAPES[shape].encode(self._values(shape, table) | changed), 8)

    def _values(self, shape: str, table: int) -> dict[str, object]:
        operation = f"arith.{ARITH[self.number % len(ARITH)]}"
        name = f"mlir::nv_tile_ir::as::{{anonymous}}::Generic{shape}{self.number}Conversion]"
        self.number += 1
        self.truth.classes.setdefault("pattern", set()).add(name[:-1])
        values: dict[str, object] = {
            "vtable": table,
            "op_name": {"data": self.memory.string(operation), "length": len(operation)},
            "benefit": 1 + self.number % 3,
            "context": self.context,
            "type_name": self.memory.string(name),
            "type_name_length": len(name),
            "generated_ops": self.context,
            "generated_ops_size": GENERATED_OPS_MARKER & 0xFFFFFFFF,
            "generated_ops_capacity": GENERATED_OPS_MARKER >> 32,
        }
        if shape == "B":
            values["context_again"] = self.context
        elif shape == "C":
            values["type_converter"] = self.converter
        elif shape == "D":
            values["closure"] = self.closure
        return values

    def _decoys(self, shape: str) -> None:
        """Objects in which one field is not what a pattern has there."""
        table = (self.rewrite if shape == "A" else self.conversion)[40]
        plain = self.memory.string("a sentence, no class name")
        for changed in (
            {"vtable": self.closure},
            {"type_name": plain, "type_name_length": 25},
            {"context": 0x1234},
            {"op_name": {"data": plain, "length": 10}},
            {"generated_ops_capacity": 0},
            {"generated_ops_size": 9},
        ):
            self._object(self.memory.data, shape, table, **changed)
            self.memory.noise(1)


DENSE = ((64, 16, 20, 0), (128, 40, 60, 5), (64, 48, 3, 1), (256, 72, 150, 20), (64, 16, 0, 0))
"""Buckets, bytes per bucket, live entries, removed entries."""


def _dense_tables(memory: Memory, truth: Truth) -> None:
    for buckets, size, live, removed in DENSE:
        table = PointerTable.empty(buckets)
        keys = [0x5000000 + 16 * memory.random.randrange(1 << 20) for _ in range(live + removed)]
        keys = list(dict.fromkeys(keys))
        for key in keys:
            table.insert(key, 7)
        for key in keys[len(keys) - removed :] if removed else []:
            table.erase(key)
        head = _dense(memory, table, size)
        truth.dense[head] = (table.buckets, size, table.live, table.tombstones)
        memory.noise(2)
    _dense_decoys(memory)


def _dense(memory: Memory, table: PointerTable, size: int, **changed: int) -> int:
    body = b"".join(key.to_bytes(8, "little") + bytes(size - 8) for key in table.keys)
    at = memory.data.put(body, 16)
    memory.noise(1)
    values = {
        "buckets": at,
        "live": table.live,
        "tombstones": table.tombstones,
        "bucket_count": table.buckets,
    }
    return memory.data.put(DENSE_MAP.encode(values | changed), 8)


def _dense_decoys(memory: Memory) -> None:
    """Heads that do not agree with their buckets, and buckets without a head."""
    table = PointerTable.empty(64)
    for number in range(12):
        table.insert(0x5000000 + 64 * number, 1)
    for changed in ({"live": 11}, {"tombstones": 1}, {"bucket_count": 63}, {"buckets": 0x1000}):
        _dense(memory, table, 16, **changed)
    memory.noise(1)
    memory.data.words(*[EMPTY] * 32, TOMBSTONE, *[EMPTY] * 31)
    memory.noise(1)


def _swiss_tables(memory: Memory, truth: Truth) -> None:
    for groups, live in ((1, 7), (2, 14), (4, 30)):
        table = SwissTable(groups)
        for number in range(live):
            table.insert(0x6000000 + 32 * memory.random.randrange(1, 1 << 20) + number, 3)
        at = _swiss(memory, table.control_bytes(), table.keys)
        truth.swiss[at] = (table.capacity // 16, table.live)
        broken = bytearray(table.control_bytes())
        broken[next(i for i, byte in enumerate(broken) if byte < 0x80)] ^= 0x11
        _swiss(memory, bytes(broken), table.keys)


def _swiss(memory: Memory, control: bytes, keys: list[int]) -> int:
    memory.noise(4)
    at = memory.data.put(control, 16)
    memory.data.words(*[word for key in keys for word in (key, 3)])
    return at


def _pools(memory: Memory, truth: Truth, count: int) -> None:
    registers = [
        b"%p",
        b"%rs",
        b"%r",
        b"%rd",
        b"%f",
        b"%fd",
        b"%rq",
        b"%da",
        b"%fa",
        b"%ia",
        b"%la",
        b"%h",
        b"%hh",
    ]
    registers += [b"%%envreg%d" % n for n in range(32)] + [b"%Depot", b"%SP", b"%SPL"]
    mnemonics = [b"},\n\t\t", b"},\n\t", b";\n\t", b"match.all.sync.b32 \t", b"suld.b.1d_buffer.v2.b8"]
    mnemonics += [b"synthetic.op%d.b%d \t" % (n, 8 << n % 4) for n in range(count)]
    for entries in (registers, mnemonics):
        encrypted, _ = build(entries)
        memory.noise(3)
        memory.data.put(bytes(memory.random.randrange(16)))
        at = memory.data.put(encrypted)
        truth.pools[at] = tuple(entry.decode() for entry in entries)
        memory.data.put(bytes(-memory.data.here % 16))
    plain = b"\0".join(mnemonics[:300]) + b"\0"
    decoys = (
        plain,
        bytes(byte ^ 3 for byte in plain),
        bytes(byte ^ (5 * i & 0xFF) for i, byte in enumerate(plain)),
        memory.random.randbytes(4000),
        xor3(memory.random.randbytes(4000)),
        xor3(bytes(2000)),
    )
    for decoy in decoys:
        memory.noise(2)
        memory.data.put(decoy)
        memory.data.put(bytes(-memory.data.here % 16))


def _text_noise(memory: Memory) -> None:
    """Plain text in data, which is no pool, no name and no table."""
    words = ("alpha", "beta.gamma", "delta]", "--epsilon", "zeta eta", "mlir", "arith.addf")
    for number in range(300):
        memory.data.put(words[number % len(words)].encode() + b"\0")
    memory.data.put(bytes(-memory.data.here % 16))
