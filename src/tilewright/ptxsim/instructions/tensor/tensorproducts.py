"""Products in tensor memory: `tcgen05.mma`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Address
from tilewright.ptxsim import codes, elements
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.frame import InstructionState
from tilewright.ptxsim.instructions.bulk import each_thread, number_of
from tilewright.ptxsim.instructions.copies import constant
from tilewright.ptxsim.instructions.rules import refuse, rule
from tilewright.ptxsim.instructions.tensor.tensormemory import issue, one_block, shared_bytes
from tilewright.ptxsim.products import product
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import Array, any_along


@dataclass(frozen=True, slots=True)
class TensorProductKind:
    """The encoding of an instruction descriptor for a kind: types of operands and results by their codes, and
    K.
    """

    operands: dict[int, str]
    results: dict[int, str]
    k: int
    packed: bool = False
    block: int = 0
    """The number of elements of a scale, if the form has scales without a block size."""
    scales: tuple[str, ...] = ()
    """The types of scales by their code."""


_EIGHT = {0: "e4m3", 1: "e5m2"}
KINDS = {
    "kind::f16": TensorProductKind({0: "f16", 1: "bf16"}, {0: "f16", 1: "f32"}, 16),
    "kind::tf32": TensorProductKind({2: "tf32"}, {1: "f32"}, 8),
    "kind::f8f6f4": TensorProductKind(_EIGHT, {0: "f16", 1: "f32"}, 32),
    "kind::i8": TensorProductKind({0: "u8", 1: "s8"}, {2: "s32"}, 32),
    "kind::mxf8f6f4": TensorProductKind(_EIGHT, {}, 32, block=32, scales=("", "ue8m0")),
    "kind::mxf4": TensorProductKind({1: "e2m1"}, {}, 64, packed=True, block=32, scales=("", "ue8m0")),
    "kind::mxf4nvf4": TensorProductKind(
        {1: "e2m1"}, {}, 64, packed=True, block=16, scales=("ue4m3", "ue8m0")
    ),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of an instruction descriptor."""

    m: int
    n: int
    left: str
    right: str
    result: str
    signs: tuple[int, int]
    transposed: tuple[bool, bool]
    saturates: bool
    scale: str = ""
    scale_ids: tuple[int, int] = (0, 0)


def _named(table: dict[int, str], number: int, what: str) -> str:
    if number not in table:
        raise Fault(
            codes.BAD_DESCRIPTOR, f"the instruction descriptor has {what} {number}, which is not simulated"
        )
    return table[number]


def described(bits: int, kind: TensorProductKind) -> Shape:
    """Decode the shape and types of a product. Raises `Fault` for a descriptor that the ISA does not allow."""
    if bits & 7 or bits >> 6 & 1:
        raise Fault(
            codes.BAD_DESCRIPTOR, "the instruction descriptor is of a sparse product, or has reserved bits"
        )
    scaled = bool(kind.scales)
    m, n = (bits >> 24 & 31) << 4, (bits >> 17 & 63) << 3
    steps = 16 if m == 128 and (scaled or "u8" in kind.operands.values()) else 8
    if m not in ((128,) if scaled else (64, 128)) or not 8 <= n <= 256 or n % steps:
        raise Fault(
            codes.BAD_DESCRIPTOR,
            f"the instruction descriptor has the shape {m} x {n}, which tcgen05.mma does not support",
        )
    return Shape(
        m,
        n,
        _named(kind.operands, bits >> 7 & 7, "type"),
        _named(kind.operands, bits >> 10 & 7, "type"),
        "f32" if scaled else _named(kind.results, bits >> 4 & 3, "type of results"),
        (-1 if bits >> 13 & 1 else 1, -1 if bits >> 14 & 1 else 1),
        (bool(bits >> 15 & 1), bool(bits >> 16 & 1)),
        bool(bits >> 3 & 1),
        _named(dict(enumerate(kind.scales)), bits >> 23 & 1, "type of scales") if scaled else "",
        (bits >> 29 & 3, bits >> 4 & 3) if scaled else (0, 0),
    )


def lanes_of(m: int) -> Array:
    """Return the lane of each of `m` rows: 64 rows are in the first half of each warp's lanes."""
    rows = np.arange(m)
    return rows if m == 128 else rows // 16 * 32 + rows % 16


class TensorProduct:
    """A product that a thread issues."""

    def __init__(self, site: InstructionSite) -> None:
        one_block(site)
        if site.has("ashift"):
            raise refuse(site, "shifted rows are not")
        self.kind = KINDS[site.modifier("kind")]
        self.d, self.d_slots, _ = site.address("d")
        self.from_tensor = isinstance(site.operand("a"), Address)
        if self.from_tensor:
            address, slots, _ = site.address("a")
            self.a = address, slots
        else:
            self.a = site.read("a", "u64")
        self.b = site.read("b", "u64")
        self.idesc, self.enable = site.read("idesc", "u32"), site.read("enable", "pred")
        self.scales = (
            [(one, used) for one, used, _ in map(site.address, ("sa", "sb"))] if self.kind.scales else []
        )
        vector = site.modifier("vector")
        self.block = self.kind.block
        if vector:
            self.block = int(vector[5:]) if vector.startswith("block") else self.kind.k // int(vector[-2])
        names = [one.name for one in site.form.operands]
        self.masks = (
            [site.resolver.read(one, "b32", site.names) for one in site.elements("lanes")]
            if "lanes" in names
            else []
        )
        shifts = "scale" in names and site.operand("scale") is not None
        self.shift = constant(site, "scale") if shifts else 0

    def run(self, c: InstructionState) -> None:
        """Issue the product for each executing thread."""
        for one in each_thread(c):
            self._issue(one)

    def _issue(self, c: InstructionState) -> None:
        shape = described(number_of(c, self.idesc, "the instruction descriptor"), self.kind)
        memory, places, sources = c.block.tensors, list[Array](), list[Array]()
        column = number_of(c, (self.d, self.d_slots), "the address of tensor memory")
        upper = column >> 16
        if upper not in ((0,) if shape.m == 128 else (0, 16)):
            raise Fault(
                codes.BAD_TENSOR_MEMORY, f"a product of {shape.m} rows from lane {upper} of tensor memory on"
            )
        lanes = lanes_of(shape.m) + upper
        cells = memory.cells(lanes[:, None], (column & 0xFFFF) + np.arange(shape.n))
        left, missing_left = self._left(c, shape, places, sources, lanes)
        right, missing_right = self._shared(
            c, self.b, shape.n, shape.right, places, transposed=shape.transposed[1]
        )
        if self.scales:
            left = left * self._scale(c, 0, shape.m, shape, sources)
            right = right * self._scale(c, 1, shape.n, shape, sources)
        addend, unknown = self._addend(c, cells, shape)
        value = product(
            (left * shape.signs[0])[None],
            (right * shape.signs[1]).T[None],
            addend[None],
            shape.result,
            c.block.chance,
        )[0]
        poison = _spoilt(missing_left, missing_right, unknown, value.shape)
        words, kept = _encoded(value, shape), self._kept(c, shape.m)
        if kept is not None:
            cells, words = cells[kept], words[kept]
            poison = None if poison is None else poison[kept]
        issue(c, cells, places, words, poison, sources)

    def _kept(self, c: InstructionState, m: int) -> Array | None:
        """Return the mask of the written rows, or `None` if the instruction has no mask of disabled lanes."""
        if not self.masks:
            return None
        words = np.array([number_of(c, one, "a mask of lanes") for one in self.masks], np.uint32)
        disabled = np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.bool_)
        return ~disabled[lanes_of(m)]

    def _left(
        self, c: InstructionState, shape: Shape, places: list[Array], sources: list[Array], lanes: Array
    ) -> tuple[Array, Array | None]:
        if not self.from_tensor:
            return self._shared(c, self.a, shape.m, shape.left, places, transposed=shape.transposed[0])
        column = number_of(c, self.a, "the address of tensor memory") & 0xFFFF
        width = self.kind.k * self._bits(shape.left) // 32
        memory = c.block.tensors
        cells = memory.cells(lanes[:, None], column + np.arange(width))
        memory.before_operation(int(c.rows()[0]), int(c.numbers()[0]), cells.ravel(), writes=False)
        sources.append(cells)
        unknown = memory.poison[cells]
        missing = any_along(unknown, -1) if unknown.any() else None
        return elements.decode(shape.left, memory.words[cells], packed=self.kind.packed), missing

    def _bits(self, kind: str) -> int:
        return elements.bits_of(kind, packed=self.kind.packed)

    def _shared(
        self, c: InstructionState, read: Any, extent: int, kind: str, places: list[Array], *, transposed: bool
    ) -> tuple[Array, Array | None]:
        bits = number_of(c, read, "a matrix descriptor")
        width = max(self._bits(kind) // 8, 1)
        count = self.kind.k * self._bits(kind) // 8 // width
        found = shared_bytes(c, bits, extent, count, width, transposed=transposed)
        places.append(found)
        data, unknown = c.block.shared.gather(found)
        values = elements.decode(kind, np.ascontiguousarray(data).view(np.uint32), packed=self.kind.packed)
        return values, None if unknown is None else any_along(unknown, -1)

    def _scale(
        self, c: InstructionState, which: int, extent: int, shape: Shape, sources: list[Array]
    ) -> Array:
        """Return the scale of each row and element of K: a byte of the word in lane `row % 32`, column `row
        // 32`.
        """
        column = number_of(c, self.scales[which], "the address of scales") & 0xFFFF
        rows, memory = np.arange(extent), c.block.tensors
        cells = memory.cells(rows % 32, column + rows // 32)
        memory.before_operation(int(c.rows()[0]), int(c.numbers()[0]), cells, writes=False)
        sources.append(cells)
        if memory.poison[cells].any():
            raise Fault(codes.POISON, "a scale of a product in tensor memory is undefined")
        count = self.kind.k // self.block
        first = shape.scale_ids[which]
        if first % count or first + count > 4:
            raise Fault(codes.BAD_DESCRIPTOR, f"{count} scales of a row do not begin at byte {first}")
        every = elements.decode(shape.scale, memory.words[cells][:, None])
        return np.repeat(every[:, first : first + count], self.block, 1)

    def _addend(self, c: InstructionState, cells: Array, shape: Shape) -> tuple[Array, Array | None]:
        value, slots = self.enable
        c.defined(slots, "the predicate of the addend")
        if not c.spread(value(c))[0]:
            return np.zeros(cells.shape), None
        memory = c.block.tensors
        unknown = memory.poison[cells]
        words = memory.words[cells]
        if shape.result == "f16":
            words = words & np.uint32(0xFFFF)
        found = elements.decode(shape.result, words[..., None])[..., 0] * 2.0**-self.shift
        return found, unknown if unknown.any() else None


def _spoilt(
    left: Array | None, right: Array | None, addend: Array | None, shape: tuple[int, ...]
) -> Array | None:
    if left is None and right is None and addend is None:
        return None
    found = np.zeros(shape, np.bool_) if addend is None else addend.copy()
    if left is not None:
        found |= left[:, None]
    if right is not None:
        found |= right[None, :]
    return found


def _encoded(value: Array, shape: Shape) -> Array:
    if shape.result == "f16":
        pairs = np.stack([value, np.zeros_like(value)], -1)
        return elements.encode("f16", pairs)[..., 0]
    return elements.encode(shape.result, value, saturate=shape.saturates)


@rule("tcgen05.mma")
def multiply(site: InstructionSite, step: SimulatedStep) -> Run:
    """Multiply dense matrices, with or without scales."""
    return TensorProduct(site).run
