"""Products of groups of four warps: `wgmma`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Name
from tilewright.ptxsim import code as ptxsim_code, codes, elements, faults, fragments as ptxsim_fragments
from tilewright.ptxsim.asynchronous.boxes import SPANS
from tilewright.ptxsim.asynchronous.groups import PendingProduct
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.copies import constant
from tilewright.ptxsim.instructions.products import OperandFragment, fragment, shape_of, undefined_result
from tilewright.ptxsim.instructions.rules import aligned, refuse, rule
from tilewright.ptxsim.products import product
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import Array, any_along

WARPS = 4
_MODES = {0: 0, 1: 3, 2: 2, 3: 1}
"""The index into `SPANS` of the swizzle code of a descriptor."""


@dataclass(frozen=True, slots=True)
class MatrixDescriptor:
    """A matrix in shared memory, from a 64-bit matrix descriptor: the offset of its first byte, the leading
    and the stride dimension offset in bytes, and the index of its swizzle in `SPANS`.
    """

    start: int
    leading: int
    stride: int
    swizzle: int

    def places(self, extent: int, k: int, width: int, *, transposed: bool) -> Array:
        """Return the byte offset of each element of the matrix: (`extent`, `k`). `extent` is its number of
        rows, or of columns for the second factor, and `width` the size of an element in bytes. If
        `transposed`, `extent` is the contiguous dimension instead of `k`.
        """
        span = SPANS[self.swizzle]
        outer: Any = np.arange(extent)[:, None]
        inner: Any = np.arange(k)[None, :]
        piece = (span if self.swizzle else 16) // width
        if transposed:
            far, near = (self.leading, self.stride) if self.swizzle else (self.stride, self.leading)
            linear = outer % piece * width + outer // piece * far + inner % 8 * span + inner // 8 * near
        elif self.swizzle:
            linear = outer % 8 * span + outer // 8 * self.stride + inner * width
        else:
            linear = (
                outer % 8 * 16
                + outer // 8 * self.stride
                + inner % piece * width
                + inner // piece * self.leading
            )
        linear = linear + self.start
        return linear ^ (linear >> 7 & (span // 16 - 1)) << 4


def described(bits: int) -> MatrixDescriptor:
    """Decode a 64-bit matrix descriptor of `wgmma`. Raises `Fault` for a base offset and for reserved bits."""
    if bits >> 49 & 7 or bits >> 46 & 7 or bits >> 52 & 0x3FF:
        raise faults.Fault(
            codes.BAD_DESCRIPTOR, f"the matrix descriptor {bits:#018x} has a base offset or reserved bits"
        )
    return MatrixDescriptor(
        (bits & 0x3FFF) << 4, (bits >> 16 & 0x3FFF) << 4, (bits >> 32 & 0x3FFF) << 4, _MODES[bits >> 62]
    )


@dataclass(slots=True)
class SharedMatrix:
    """An operand in shared memory: the reader of its descriptor with the registers that it reads, the type of
    its elements, its `extent` (rows, or columns of the second factor) and `k`, the extent of the common
    dimension. If it is `transposed`, `extent` is the contiguous dimension instead of `k`.
    """

    read: tuple[Any, tuple[int, ...]]
    type: str
    extent: int
    k: int
    transposed: bool

    def places(self, c: InstructionState) -> Array:
        """Return the offsets of all bytes: (rows, bytes of k). Raises `Fault` if they are outside shared
        memory, or if the descriptor differs between threads.
        """
        value, slots = self.read
        c.defined(slots, "a matrix descriptor")
        bits = np.unique(c.spread(value(c)))
        if len(bits) != 1:
            raise faults.Fault(
                codes.BAD_DESCRIPTOR, "the matrix descriptor differs between threads of a group of warps"
            )
        width = elements.bits_of(self.type) // 8
        starts = described(int(bits[0])).places(self.extent, self.k, width, transposed=self.transposed)
        found = (starts[..., None] + np.arange(width)).reshape(self.extent, self.k * width)
        storage = c.block.shared
        legal = (found < len(storage.valid)) & storage.valid[np.minimum(found, len(storage.valid) - 1)]
        if not legal.all():
            at = int(found[~legal][0])
            raise faults.Fault(
                codes.BAD_DESCRIPTOR,
                f"the matrix descriptor leads to shared address {at:#x}, outside of memory",
            )
        return found

    def matrix(self, c: InstructionState, places: Array) -> tuple[Array, Array | None]:
        """Return the elements at the byte offsets `places` as doubles, (rows, k), and a mask of undefined
        elements; None if all are defined.
        """
        data, undefined = c.block.shared.gather(places)
        values = elements.decode(self.type, np.ascontiguousarray(data).view(np.uint32))
        if undefined is None:
            return values, None
        return values, any_along(undefined.reshape(self.extent, self.k, -1), -1)


class GroupProduct:
    """The operands of a `wgmma` product of the four warps of a group: A in registers or in shared memory, B
    in shared memory, and the accumulators. The constructor raises `Fault` for a form that is not simulated.
    """

    def __init__(self, site: InstructionSite) -> None:
        m, n, k = shape_of(site)
        self.kind, self.left = site.modifier("dtype"), site.modifier("atype")
        transposes = [constant(site, one) for one in ("ta", "tb") if _given(site, one)]
        per = 32 // elements.bits_of(self.left)
        self.a: SharedMatrix | OperandFragment
        if len(site.elements("a")) > 1:
            self.a = fragment(site, "a", ptxsim_fragments.FAMILIES["group A"](m, k, per), self.left)
            b_transposed = bool(transposes and transposes[0])
        else:
            self.a = SharedMatrix(site.read("a", "u64"), self.left, m, k, bool(transposes and transposes[0]))
            b_transposed = len(transposes) > 1 and bool(transposes[1])
        self.b = SharedMatrix(site.read("b", "u64"), site.modifier("btype"), n, k, b_transposed)
        self.layout = ptxsim_fragments.FAMILIES["group C"](m, n, 1)
        self.c = fragment(site, "d", self.layout, self.kind)
        self.slots = [_slot(site, one) for one in site.elements("d")]
        self.inputs = (
            [] if isinstance(self.a, SharedMatrix) else [slot for _, used in self.a.reads for slot in used]
        )
        self.scale = site.read("scale", "pred")
        self.signs = tuple(constant(site, one) if _given(site, one) else 1 for one in ("na", "nb"))
        self.saturates = site.has("satfinite")
        if any(sign not in (1, -1) for sign in self.signs):
            raise refuse(site, "its operands are scaled by 1 or -1 only")

    def run(self, c: InstructionState) -> None:
        """Issue the product for each group of warps."""
        for lanes in c.numbers().reshape(-1, 32 * WARPS):
            self._issue(InstructionState(c.block, c.frame, lanes))

    def _issue(self, c: InstructionState) -> None:
        lanes, products = c.numbers(), c.block.products
        value, slots = self.scale
        c.defined(slots, "the predicate of the addend")
        adds = np.unique(c.spread(value(c)))
        if len(adds) != 1:
            raise faults.Fault(codes.NOT_ALIGNED, "the predicate of the addend differs between threads")
        flying = [products.flying(c.frame, slot, lanes) for slot in self.slots]
        own = [slot for slot, one in zip(self.slots, flying, strict=True) if one is None and adds[0]]
        products.check_fence(c.frame, lanes, [*own, *self.inputs])
        addend, unknown = self._addend(c, flying) if adds[0] else (np.zeros((1, 1, 1)), None)
        places: list[Array] = []
        first, undefined = self._first(c, places)
        places.append(self.b.places(c))
        second, missing = self.b.matrix(c, places[-1])
        second = second.T[None] * self.signs[1]
        result = product(first * self.signs[0], second, addend, self.kind, c.block.launch.seed)
        poison = undefined_result(undefined, None if missing is None else missing.T[None], unknown, result)
        words = elements.encode(self.kind, self.layout.scattered(result), saturate=self.saturates)[0]
        flags = None
        if poison is not None:
            flags = any_along(self.layout.scattered(poison)[0].reshape(*words.shape, -1), -1)
        snapshot = [(slot, c.frame.values[slot][lanes]) for slot in self.inputs]
        group = int(products.committed[lanes[0]])
        unique = [np.unique(one) for one in places]
        started = PendingProduct(c.frame, lanes, group, snapshot, c.block.shared, unique, int(c.rows()[0]))
        products.start(started, self.slots, words, flags)

    def _first(self, c: InstructionState, places: list[Array]) -> tuple[Array, Array | None]:
        if isinstance(self.a, OperandFragment):
            return self.a.matrices(c, 32 * WARPS), self.a.undefined(c, 32 * WARPS)
        places.append(self.a.places(c))
        value, undefined = self.a.matrix(c, places[-1])
        return value[None], None if undefined is None else undefined[None]

    def _addend(self, c: InstructionState, flying: list[Any]) -> tuple[Array, Array | None]:
        lanes = c.numbers()
        columns: list[Any] = []
        unknown: list[Any] = []
        for slot, result in zip(self.slots, flying, strict=True):
            source = c.frame.values[slot] if result is None else result.values
            poison = c.frame.poison[slot] if result is None else result.poison
            columns.append(source[lanes])
            unknown.append(np.zeros(len(lanes), np.bool_) if poison is None else poison[lanes])
        words = np.stack(columns, -1)[None].astype(np.uint32, copy=False)
        value = self.layout.gathered(elements.decode(self.kind, words))
        flags = np.stack(unknown, -1)
        if not flags.any():
            return value, None
        return value, self.layout.gathered(np.repeat(flags[None], self.layout.count // len(columns), -1))


def _given(site: InstructionSite, name: str) -> bool:
    return any(one.name == name for one in site.form.operands) and site.operand(name) is not None


def _slot(site: InstructionSite, operand: Any) -> int:
    if not isinstance(operand, Name):
        raise refuse(site, "an accumulator is no register")
    slot, _ = site.resolver.slot(operand, site.names)
    return slot


@rule("wgmma.mma_async.sync.aligned")
def multiply(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` start a product of matrices; the second operand, or both, are in shared memory."""
    aligned(site, step, GroupProduct(site).run, WARPS)


@rule("wgmma.fence.sync.aligned")
def fence(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` make written registers usable by later products."""
    aligned(site, step, lambda c: c.block.products.fence(c.frame, c.numbers()), WARPS)


@rule("wgmma.commit_group.sync.aligned")
def commit(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` make a group of the products since the last commit."""
    aligned(site, step, lambda c: c.block.products.commit(c.numbers()), WARPS)


@rule("wgmma.wait_group.sync.aligned")
def wait(site: InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` wait for all groups of products except for the newest `n` (an operand)."""
    newest = constant(site, "n")
    aligned(site, step, lambda c: c.block.products.wait(c.numbers(), newest), WARPS)
