"""Products in tensor memory: `tcgen05.mma`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilewright.ptx.model import Address
from tilewright.ptxsim import block as ptxsim_block, codes, elements, products as ptxsim_products
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions import copies, rules
from tilewright.ptxsim.instructions.bulk import each_thread, number_of
from tilewright.ptxsim.instructions.tensor.tensormemory import blocks_of, group_of, issue, shared_bytes
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import Array, any_along


@dataclass(frozen=True, slots=True)
class TensorProductKind:
    """The encoding of an instruction descriptor for a kind: the types of operands and of results by their
    codes, and K, the extent of the common dimension. ``packed``: two elements share a byte. ``scales`` are
    the types of scales by their code, and ``block`` is the number of elements of a scale if the instruction
    names none.
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
class ProductDescriptor:
    """The fields of an instruction descriptor: the numbers of rows `m` and columns `n`; the types of the
    factors (`left`, `right`), the result, and the scales (empty without scales); whether results saturate;
    and for both factors the sign (1 or -1), whether it is transposed, and the byte of the first scale in a
    word (`scale_ids`).
    """

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
    selector: int = 0
    """The column of the metadata of a sparse product, in a pair of columns."""


def _named(table: dict[int, str], number: int, what: str) -> str:
    if number not in table:
        raise Fault(
            codes.BAD_DESCRIPTOR, f"the instruction descriptor has {what} {number}, which is not simulated"
        )
    return table[number]


def described(
    bits: int, kind: TensorProductKind, sizes: Mapping[int, Collection[int]], *, sparse: bool = False
) -> ProductDescriptor:
    """Decode the instruction descriptor `bits` of a product of `kind`. `sizes` has the supported numbers of
    rows, each with the supported numbers of columns. Raises `Fault` for a descriptor that the ISA does not
    allow or that is not simulated, and if its bit for sparse products differs from `sparse`.
    """
    if bits >> 2 & 1 != sparse or (bits & 3 and not sparse) or bits >> 6 & 1:
        wrong = "a dense" if sparse else "a sparse"
        raise Fault(
            codes.BAD_DESCRIPTOR, f"the instruction descriptor is of {wrong} product, or has reserved bits"
        )
    scaled = bool(kind.scales)
    m, n = (bits >> 24 & 31) << 4, (bits >> 17 & 63) << 3
    if n not in sizes.get(m, ()):
        raise Fault(
            codes.BAD_DESCRIPTOR,
            f"the instruction descriptor has the shape {m} x {n}, which tcgen05.mma does not support",
        )
    return ProductDescriptor(
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
        bits & 3,
    )


def sizes_of(
    kind: TensorProductKind, group: int, *, stationary: bool, sparse: bool = False
) -> Mapping[int, Collection[int]]:
    """Return the supported numbers of rows of a product, each with the supported numbers of columns (ISA,
    9.7.16.2.1). `group` is the number of blocks, `stationary` stands for `tcgen05.mma.ws`, and `sparse` for
    `tcgen05.mma.sp`, which is simulated with 128 rows in each block.
    """
    integers = "u8" in kind.operands.values()
    if sparse:
        step = 32 if group == 2 and integers else 16
        return {128 * group: range(step, 257, step)}
    if stationary:
        return dict.fromkeys((32, 64, 128), (64, 128, 256))
    if group == 2:
        return dict.fromkeys((128, 256), range(32, 257, 32) if integers else range(16, 257, 16))
    wide = range(16, 257, 16)
    if kind.scales:
        return {128: wide}
    return {64: range(8, 257, 8), 128: wide if integers else range(8, 257, 8)}


@dataclass(frozen=True, slots=True)
class DataPath:
    """The positions of the ``rows`` rows of a block in tensor memory (ISA, 9.7.16.10.5). The columns are in
    ``pieces`` parts, each in lanes of its own. If ``halved``, the rows use one half of each warp's lanes.
    """

    rows: int
    """The number of rows of the block."""
    pieces: int = 1
    """The number of parts of the columns; each part has lanes of its own."""
    halved: bool = False
    """Whether the rows are in the first or second half of each warp's lanes."""

    def lanes(self) -> Array:
        """Return the lane of each row, for the first part of the columns."""
        rows = np.arange(self.rows)
        return rows // 16 * 32 + rows % 16 if self.halved else rows

    def places(self, n: int) -> tuple[Array, Array]:
        """Return the lane and the column of each element of the rows in `n` columns, two arrays that
        broadcast to (rows, columns).
        """
        width = n // self.pieces
        columns = np.arange(n)[None, :]
        return self.lanes()[:, None] + columns // width * (128 // self.pieces), columns % width


def path_of(m: int, group: int, *, stationary: bool) -> DataPath:
    """Return the data path of a product of `m` rows by `group` blocks: layouts A, B, D, E, F and G of the
    ISA. `stationary` stands for `tcgen05.mma.ws`.
    """
    if stationary:
        return DataPath(m, 128 // m)
    if group == 2:
        return DataPath(m // 2, 256 // m)
    return DataPath(m, halved=m == 64)


@dataclass(slots=True)
class ProductPart:
    """The part of a product in one block: the cells of its rows of the result, and the offsets in shared
    memory (`places`) and the cells (`sources`) that it reads.
    """

    block: ptxsim_block.SimulatedBlock
    cells: Array
    places: list[Array] = field(default_factory=list[Array])
    sources: list[Array] = field(default_factory=list[Array])


class TensorProduct:
    """A product that a thread issues, for its block or for a pair of blocks.

    In a pair each block has half of the rows of A and of the result, and half of the columns of B, at equal
    addresses (ISA, 9.7.16.10.9.1).
    """

    def __init__(self, site: InstructionSite) -> None:
        self.group, self.stationary = group_of(site), "ws" in site.form.name.split(".")
        if site.has("ashift"):
            raise rules.refuse(site, "shifted rows are not")
        self.kind = KINDS[site.modifier("kind")]
        if self.kind.scales and self.group == 2:
            raise rules.refuse(site, "scales of pairs of blocks are not")
        self.sparsity = self._sparsity(site)
        self.sizes = sizes_of(
            self.kind, self.group, stationary=self.stationary, sparse=self.sparsity is not None
        )
        self.zeros = (
            site.read("zeros", "u64") if self.stationary and site.operand("zeros") is not None else None
        )
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
        self.shift = copies.constant(site, "scale") if shifts else 0

    def _sparsity(self, site: InstructionSite) -> ptxsim_products.Sparsity | None:
        """Return the sparsity of the left factor; None for a dense product. Raises `Fault` for a kind whose
        metadata have an unknown layout.
        """
        if not site.form.name.endswith(".sp"):
            return None
        if site.modifier("kind") == "kind::tf32":
            raise rules.refuse(site, "sparse factors of tf32 are not")
        self.metadata, self.metadata_slots, _ = site.address("sp")
        return ptxsim_products.sparsity(self.kind.operands[0])

    def run(self, c: InstructionState) -> None:
        """Issue the product for each executing thread."""
        for one in each_thread(c):
            self._issue(one)

    def _issue(self, c: InstructionState) -> None:
        word = number_of(c, self.idesc, "the instruction descriptor")
        shape = described(word, self.kind, self.sizes, sparse=self.sparsity is not None)
        path = path_of(shape.m, self.group, stationary=self.stationary)
        column = number_of(c, (self.d, self.d_slots), "the address of tensor memory")
        upper = column >> 16
        if upper not in ((0, 16) if path.halved else (0,)):
            raise Fault(
                codes.BAD_TENSOR_MEMORY, f"a product of {shape.m} rows from lane {upper} of tensor memory on"
            )
        lanes, columns = path.places(shape.n)
        parts = [
            ProductPart(block, block.tensors.cells(lanes + upper, (column & 0xFFFF) + columns))
            for block in blocks_of(c, self.group)
        ]
        left, missing_left = _stacked([self._left(c, shape, one, path, upper) for one in parts])
        if self.sparsity is not None:
            nibbles = np.concatenate([self._metadata(c, shape, one, self.sparsity) for one in parts])
            left = ptxsim_products.expanded(left[None], nibbles[None], self.sparsity)[0]
        right, missing_right = _stacked([self._right(c, shape, one) for one in parts])
        if self.zeros is not None:
            bits = number_of(c, self.zeros, "the mask of zero columns")
            right = np.where(zero_columns(bits, shape.m, shape.n)[:, None], 0, right)
        if self.scales:
            left = left * self._scale(c, 0, shape.m, shape, parts[0])
            right = right * self._scale(c, 1, shape.n, shape, parts[0])
        addend, unknown = _stacked([self._addend(c, one, shape) for one in parts])
        value = ptxsim_products.product(
            (left * shape.signs[0])[None],
            (right * shape.signs[1]).T[None],
            addend[None],
            shape.result,
            c.block.launch.seed,
        )[0]
        poison = _spoilt(missing_left, missing_right, unknown, value.shape)
        self._start(c, parts, _encoded(value, shape), poison, self._kept(c, path))

    def _start(
        self,
        c: InstructionState,
        parts: list[ProductPart],
        words: Array,
        poison: Array | None,
        kept: Array | None,
    ) -> None:
        """Issue the parts of a product. `words` and `poison`, the mask of undefined values (`None`: none is
        undefined), have the rows of all parts; `kept` is a mask of the written rows, or `None` for all.
        """
        for at, one in enumerate(parts):
            rows = np.arange(at * len(one.cells), (at + 1) * len(one.cells))
            mine = slice(None) if kept is None else kept[rows]
            unknown = None if poison is None else poison[rows][mine]
            issue(c, one.block, one.cells[mine], one.places, words[rows][mine], unknown, one.sources)

    def _kept(self, c: InstructionState, path: DataPath) -> Array | None:
        """Return the mask of the written rows, or `None` if the instruction has no mask of disabled lanes.
        Raises `Fault` for a mask in a data path with several parts of columns, which is not simulated.
        """
        if not self.masks:
            return None
        if path.pieces > 1:
            raise Fault(codes.NOT_SIMULATED, "disabled lanes of split columns are not simulated")
        words = np.array([number_of(c, one, "a mask of lanes") for one in self.masks], np.uint32)
        disabled = np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.bool_)
        return np.concatenate([~disabled[128 * at + path.lanes()] for at in range(self.group)])

    def _left(
        self, c: InstructionState, shape: ProductDescriptor, part: ProductPart, path: DataPath, upper: int
    ) -> tuple[Array, Array | None]:
        if not self.from_tensor:
            transposed = shape.transposed[0]
            return self._shared(c, self.a, path.rows, self.kind.k, shape.left, part, transposed=transposed)
        if path.pieces > 1:
            raise Fault(codes.NOT_SIMULATED, "A in tensor memory, beside split columns, is not simulated")
        column = number_of(c, self.a, "the address of tensor memory") & 0xFFFF
        width = self.kind.k * self._bits(shape.left) // 32
        memory = part.block.tensors
        cells = memory.cells((path.lanes() + upper)[:, None], column + np.arange(width))
        memory.before_operation(int(c.rows()[0]), cells.ravel(), writes=False)
        part.sources.append(cells)
        unknown = memory.poison[cells]
        missing = any_along(unknown, -1) if unknown.any() else None
        return elements.decode(shape.left, memory.words[cells], packed=self.kind.packed), missing

    def _right(
        self, c: InstructionState, shape: ProductDescriptor, part: ProductPart
    ) -> tuple[Array, Array | None]:
        extent, k = shape.n // self.group, self.kind.k * (1 if self.sparsity is None else 2)
        return self._shared(c, self.b, extent, k, shape.right, part, transposed=shape.transposed[1])

    def _metadata(
        self,
        c: InstructionState,
        shape: ProductDescriptor,
        part: ProductPart,
        rule: ptxsim_products.Sparsity,
    ) -> Array:
        """Return the four bits of metadata of each of 128 rows and chunk of four elements: (128, chunks). A
        row of 8-bit elements has its 16 chunks in two columns of its lane. A row of 16-bit elements has eight
        chunks in the column that the descriptor selects, four in each of two lanes: rows ``16 i + j`` and
        ``16 i + 8 + j`` have the lower and the upper halves of lanes ``16 i + j`` and ``16 i + 8 + j``.
        Source: the layouts that Mosaic GPU of JAX gives to products on GPUs. Raises `Fault` for a wrong
        column or selector, and for metadata that are undefined or not in increasing order.
        """
        first = number_of(c, (self.metadata, self.metadata_slots), "the address of metadata") & 0xFFFF
        columns = first + (np.arange(2) if rule.rows_by_lane else np.array([shape.selector]))
        if first % 2 or shape.selector > (0 if rule.rows_by_lane else 1):
            message = f"metadata of a product in column {first}, with the selector {shape.selector}"
            raise Fault(codes.BAD_DESCRIPTOR, message)
        memory = part.block.tensors
        cells = memory.cells(np.arange(128)[:, None], columns)
        memory.before_operation(int(c.rows()[0]), cells.ravel(), writes=False)
        part.sources.append(cells)
        if memory.poison[cells].any():
            raise Fault(codes.POISON, "the metadata of a product in tensor memory are undefined")
        nibbles = memory.words[cells][..., None] >> np.arange(0, 32, 4, dtype=np.uint32) & np.uint32(15)
        if not rule.rows_by_lane:  # (16 rows, half of the chunks, row, half of the row, chunk)
            nibbles = nibbles.reshape(8, 2, 8, 2, 4).transpose(0, 3, 2, 1, 4)
        nibbles = nibbles.reshape(128, -1)
        if ((nibbles & np.uint32(3)) >= nibbles >> np.uint32(2)).any():
            raise Fault(codes.BAD_DESCRIPTOR, "the metadata of a sparse matrix is not in increasing order")
        return nibbles

    def _bits(self, kind: str) -> int:
        return elements.bits_of(kind, packed=self.kind.packed)

    def _shared(
        self,
        c: InstructionState,
        read: Any,
        extent: int,
        k: int,
        kind: str,
        part: ProductPart,
        *,
        transposed: bool,
    ) -> tuple[Array, Array | None]:
        bits = number_of(c, read, "a matrix descriptor")
        width = max(self._bits(kind) // 8, 1)
        count = k * self._bits(kind) // 8 // width
        found = shared_bytes(part.block.shared, bits, extent, count, width, transposed=transposed)
        part.places.append(found)
        data, unknown = part.block.shared.gather(found)
        values = elements.decode(kind, np.ascontiguousarray(data).view(np.uint32), packed=self.kind.packed)
        return values, None if unknown is None else any_along(unknown, -1)

    def _scale(
        self, c: InstructionState, which: int, extent: int, shape: ProductDescriptor, part: ProductPart
    ) -> Array:
        """Return the scale of each element of the left (`which` 0) or right (1) factor: (`extent`, K). The
        scales of row `r` are bytes of the tensor memory cell in lane `r % 32`, column `r // 32`. Raises
        `Fault` for an undefined scale, and if the first byte is no multiple of the number of scales of a row.
        """
        column = number_of(c, self.scales[which], "the address of scales") & 0xFFFF
        rows, memory = np.arange(extent), part.block.tensors
        cells = memory.cells(rows % 32, column + rows // 32)
        memory.before_operation(int(c.rows()[0]), cells, writes=False)
        part.sources.append(cells)
        if memory.poison[cells].any():
            raise Fault(codes.POISON, "a scale of a product in tensor memory is undefined")
        count = self.kind.k // self.block
        first = shape.scale_ids[which]
        if first % count or first + count > 4:
            raise Fault(codes.BAD_DESCRIPTOR, f"{count} scales of a row do not begin at byte {first}")
        every = elements.decode(shape.scale, memory.words[cells][:, None])
        return np.repeat(every[:, first : first + count], self.block, 1)

    def _addend(
        self, c: InstructionState, part: ProductPart, shape: ProductDescriptor
    ) -> tuple[Array, Array | None]:
        value, slots = self.enable
        c.defined(slots, "the predicate of the addend")
        if not c.spread(value(c))[0]:
            return np.zeros(part.cells.shape), None
        memory = part.block.tensors
        unknown = memory.poison[part.cells]
        words = memory.words[part.cells]
        if shape.result == "f16":
            words = words & np.uint32(0xFFFF)
        found = elements.decode(shape.result, words[..., None])[..., 0] * 2.0**-self.shift
        return found, unknown if unknown.any() else None


def _stacked(parts: list[tuple[Array, Array | None]]) -> tuple[Array, Array | None]:
    """Return the values of the blocks, concatenated along the first axis, and their masks of undefined values
    in the same way; `None` if all are defined.
    """
    if len(parts) == 1:
        return parts[0]
    values = np.concatenate([value for value, _ in parts])
    if all(unknown is None for _, unknown in parts):
        return values, None
    shape = next(unknown.shape for _, unknown in parts if unknown is not None)
    none = np.zeros(shape, np.bool_)
    return values, np.concatenate([none if unknown is None else unknown for _, unknown in parts])


def zero_columns(bits: int, m: int, n: int) -> Array:
    """Return the mask of the columns of B that are zero, from a zero-column mask descriptor (ISA, 9.7.16.4.3)
    of a product of `m` rows and `n` columns; none are if its enable bit is not set.

    Each part of the columns repeats a pattern of two spans: used columns and columns of zeros, in this order
    or, if the descriptor says so, in the opposite one. The start count skips columns of the pattern. Raises
    `Fault` for reserved bits and shifted columns.
    """
    if bits >> 36 & 7 or bits >> 62:
        raise Fault(codes.BAD_DESCRIPTOR, "the mask of zero columns has reserved bits")
    if bits >> 56 & 63:
        raise Fault(codes.NOT_SIMULATED, "masks of zero columns with a shift are not simulated")
    masks = list[Array]()
    zeros, used = (bits >> 40 & 255) + 1, (bits >> 48 & 255) + 1
    for at in range(128 // m):
        start, first = bits >> 8 * at & 255, bits >> 32 + at & 1
        if start >= (zeros if first else used):
            raise Fault(codes.NOT_SIMULATED, f"the start count {start} leaves the first span of a mask")
        place = (np.arange(n * m // 128) + start) % (zeros + used)
        masks.append(place < zeros if first else place >= used)
    mask = np.concatenate(masks)
    return mask if bits >> 39 & 1 else np.zeros_like(mask)


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


def _encoded(value: Array, shape: ProductDescriptor) -> Array:
    if shape.result == "f16":
        pairs = np.stack([value, np.zeros_like(value)], -1)
        return elements.encode("f16", pairs)[..., 0]
    return elements.encode(shape.result, value, saturate=shape.saturates)


@rules.rule("tcgen05.mma", "tcgen05.mma.ws", "tcgen05.mma.sp")
def multiply(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that starts a product, with or without scales, with columns of zeros, or with a
    sparse left factor (ISA, 9.7.16.10.9). The results are in flight until a thread waits at the mbarrier of a later
    `tcgen05.commit`.
    """
    return TensorProduct(site).run
