"""Kernels with seeded faults and their clean twins, and what the interpreter and compiled code say of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

import tilewright
from tests.interp.kernels import (
    ACQUIRE,
    DEVICE,
    EVEN,
    RELAXED,
    RELEASE,
    SIGNED,
    Kernel,
    pointer,
)
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode, ComparisonPredicate, PaddingValue
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import GatherScatterViewType, StridedViewType, tile
from tilewright.driver.artifact import Artifact
from tilewright.driver.stages import CompileOptions
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import f32, i1, i8, i32, i64
from tilewright.runtime.keyed_cache import KeyedCache

TOKEN = ops_memory.TOKEN_TYPE.types[0]
Arrays = Callable[[], list[Any]]


@dataclass(frozen=True)
class Case:
    """A kernel, its arguments, its grid, the checks that it is launched with, and the code that is expected, if any."""

    name: str
    build: Callable[[], Kernel]
    arguments: Arrays
    code: str = ""
    grid: tuple[int, int, int] = (1, 1, 1)
    checks: tuple[str, ...] = ("memcheck", "racecheck")
    threads: int | None = 1
    memory: Sequence[Any] = field(default=())

    def __str__(self) -> str:
        return self.name


def finding(case: Case, target: str) -> tuple[str, Any, str]:
    """The code, the place and the text of the first diagnostic of a launch; empty if there is none."""
    more = {"threads": case.threads} if target == "cpu" else {}
    try:
        artifact(case, target).launch(case.grid, case.arguments(), entry="k", memory=case.memory, **more)
    except tilewright.DiagnosticError as error:
        found = error.diagnostics[0]
        return str(found.code), found.location.source, found.message
    return "", None, ""


ARTIFACTS: KeyedCache[tuple[str, tuple[str, ...], str], Artifact] = KeyedCache(16)
"""Kernels that were compiled, by text, checks and target: many cases launch one kernel with other arguments."""


def artifact(case: Case, target: str) -> Artifact:
    """The kernel of a case, compiled for a target."""
    module = case.build().module()

    def make() -> Artifact:
        source: Any = SimpleNamespace(operation=module)
        return tilewright.compile(source, target=target, options=CompileOptions(checks=case.checks))

    return ARTIFACTS.of((str(module), case.checks, target), make)


def zeros(*counts: int, dtype: Any = np.int32) -> Arrays:
    """Arrays of zeros."""
    return lambda: [np.zeros(count, dtype) for count in counts]


# --- out of bounds


def copy_by_view(extent: int, size: int = 4, shape: tuple[int, ...] | None = None) -> Callable[[], Kernel]:
    """Copies one tile of a view that says it has ``extent`` elements."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        source, target = (kernel.partition(base, shape or (extent,), (size,)) for base in kernel.arguments)
        zero = kernel.i32(1)
        kernel.store_view(target, kernel.load_view(source, zero).results[0], zero)
        return kernel

    return build


def copy_square(rows: int, stride: int, side: int = 4) -> Callable[[], Kernel]:
    """Copies a tile of a matrix whose rows are so far apart."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        views = [
            kernel.partition(base, (rows, side), (side, side), strides=(step, 1))
            for base, step in zip(kernel.arguments, (stride, side), strict=True)
        ]
        zero = kernel.i32(0)
        kernel.store_view(views[1], kernel.load_view(views[0], zero, zero).results[0], zero, zero)
        return kernel

    return build


def copy_by_columns(count: int) -> Callable[[], Kernel]:
    """Copies a matrix column by column: the second dimension is the slow one."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        views = [kernel.partition(base, (count, 8), (4, 8), strides=(1, count)) for base in kernel.arguments]
        at = kernel.block_id()
        zero = kernel.i32(0)
        kernel.store_view(views[1], kernel.load_view(views[0], at, zero).results[0], at, zero)
        return kernel

    return build


def copy_by_pointers(count: int, mask: Sequence[int] | None = None, step: int = 1) -> Callable[[], Kernel]:
    """Copies elements through pointers."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        offsets = kernel.iota(count)
        if step != 1:
            offsets = kernel.add(ops_integer.MulIOp(offsets, kernel.splat(kernel.i32(step), count)))
        chosen = kernel.constant(list(mask), tile(count, i1)) if mask is not None else None
        filler = kernel.splat(kernel.i32(0), count) if mask is not None else None
        source, target = (kernel.pointers(base, offsets) for base in kernel.arguments)
        loaded = kernel.load(source, mask=chosen, padding=filler).results[0]
        kernel.store(target, loaded, mask=chosen)
        return kernel

    return build


def pick(indices: Sequence[int]) -> Callable[[], Kernel]:
    """Elements at places that are loaded."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        table, out = kernel.arguments
        at = kernel.constant(list(indices), tile(len(indices), i32))
        kernel.store_all(out, kernel.load(kernel.pointers(table, at)).results[0])
        return kernel

    return build


def gather_rows(rows: int, at: Sequence[int]) -> Callable[[], Kernel]:
    """Rows of a matrix that says it has so many of them."""

    def build() -> Kernel:
        kernel = Kernel(pointer(f32), pointer(f32))

        def made(tensor: Any) -> Any:
            return GatherScatterViewType((4, 8), tensor, 0, PaddingValue.ZERO)

        table = kernel.view(kernel.arguments[0], (rows, 8), made, ops_view.MakeGatherScatterViewOp)
        numbers = kernel.constant(list(at), tile(4, i32))
        loaded = kernel.load_view(table, numbers, kernel.i32(0)).results[0]
        out = kernel.partition(kernel.arguments[1], (4, 8), (4, 8))
        kernel.store_view(out, loaded, kernel.i32(0), kernel.i32(0))
        return kernel

    return build


def scatter_rows(at: Sequence[int]) -> Callable[[], Kernel]:
    """Writes rows of a matrix."""

    def build() -> Kernel:
        kernel = Kernel(pointer(f32))

        def made(tensor: Any) -> Any:
            return GatherScatterViewType((4, 8), tensor, 0, None)

        table = kernel.view(kernel.arguments[0], (16, 8), made, ops_view.MakeGatherScatterViewOp)
        numbers = kernel.constant(list(at), tile(4, i32))
        ones = kernel.constant(1.0, tile(4, 8, f32))
        kernel.store_view(table, ones, numbers, kernel.i32(0))
        return kernel

    return build


def add_atomically(count: int, offset: int = 0) -> Callable[[], Kernel]:
    """Adds to some elements."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        numbers = kernel.add(ops_integer.AddIOp(kernel.iota(count), kernel.splat(kernel.i32(offset), count)))
        at = kernel.pointers(kernel.arguments[0], numbers)
        ones = kernel.splat(kernel.i32(1), count)
        kernel.add(ops_memory.AtomicRMWTkoOp(RELAXED, DEVICE, at, AtomicRMWMode.ADD, ones))
        return kernel

    return build


def read_scalar(offset: int) -> Callable[[], Kernel]:
    """Copies one element from so far behind the first."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i64), pointer(i64))
        source, target = kernel.arguments
        at = kernel.add(ops_tile.OffsetOp(source, kernel.i32(offset)))
        kernel.store(target, kernel.load(at).results[0])
        return kernel

    return build


def strided_view(extent: int) -> Callable[[], Kernel]:
    """Tiles of 8 that begin 4 apart."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))

        def made(tensor: Any) -> Any:
            return StridedViewType((8,), (4,), tensor, (0,), PaddingValue.ZERO)

        view = kernel.view(kernel.arguments[0], (extent,), made, ops_view.MakeStridedViewOp)
        kernel.store_all(kernel.arguments[1], kernel.load_view(view, kernel.i32(2)).results[0])
        return kernel

    return build


def frozen() -> list[Any]:
    """An array to read from, and one that must not be written."""
    read_only = np.zeros(8, np.int32)
    read_only.flags.writeable = False
    return [np.zeros(8, np.int32), read_only]


def crooked() -> list[Any]:
    """An array whose elements begin at odd addresses."""
    return [np.zeros(41, np.uint8)[1:33], np.zeros(8, np.int32)]


def reversed_() -> list[Any]:
    """An array seen from its end."""
    return [np.arange(8, dtype=np.int32)[::-1], np.zeros(8, np.int32)]


def copy_backwards(count: int) -> Callable[[], Kernel]:
    """Copies elements with a stride of -1."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        source, target = kernel.arguments
        zero = kernel.splat(kernel.i32(0), count)
        offsets = kernel.add(ops_integer.SubIOp(zero, kernel.iota(count)))
        kernel.store_all(target, kernel.load(kernel.pointers(source, offsets)).results[0])
        return kernel

    return build


OUTSIDE = (
    Case("view, inside", copy_by_view(8), zeros(8, 8)),
    Case("view of an array that is too short", copy_by_view(8), zeros(7, 8), "TW0402"),
    Case("view of a result that is too short", copy_by_view(8), zeros(8, 6), "TW0402"),
    Case("view whose edge is in the tile", copy_by_view(6), zeros(6, 6)),
    Case("rows further apart", copy_square(4, 9), zeros(4 * 9, 16)),
    Case("rows too far apart", copy_square(4, 9), zeros(3 * 9 + 3, 16), "TW0402"),
    Case("fewer rows than the tile", copy_square(3, 4), zeros(12, 16)),
    Case("columns", copy_by_columns(16), zeros(128, 128), grid=(4, 1, 1)),
    Case("columns, too few", copy_by_columns(16), zeros(120, 128), "TW0402", grid=(4, 1, 1)),
    Case("pointers, inside", copy_by_pointers(64), zeros(64, 64)),
    Case("pointers, one too many", copy_by_pointers(64), zeros(63, 64), "TW0402"),
    Case("pointers, masked", copy_by_pointers(8, [1] * 6 + [0] * 2), zeros(6, 6)),
    Case("pointers, holes", copy_by_pointers(8, [1, 0, 1, 1, 0, 1, 0, 0]), zeros(6, 6)),
    Case("pointers, mask too long", copy_by_pointers(8, [1] * 7 + [0]), zeros(6, 8), "TW0402"),
    Case(
        "pointers, lonely lane outside", copy_by_pointers(8, [1, 0, 0, 0, 0, 0, 0, 1]), zeros(8, 7), "TW0402"
    ),
    Case("pointers, nobody", copy_by_pointers(8, [0] * 8), zeros(1, 1)),
    Case("pointers, apart", copy_by_pointers(8, step=3), zeros(22, 22)),
    Case("pointers, too far apart", copy_by_pointers(8, step=3), zeros(22, 20), "TW0402"),
    Case("pointers, backwards", copy_backwards(8), reversed_),
    Case(
        "pointers, backwards too far",
        copy_backwards(16),
        lambda: [*reversed_()[:1], np.zeros(16, np.int32)],
        "TW0402",
    ),
    Case("picked elements", pick([3, 0, 7, 7]), zeros(8, 4)),
    Case("picked element before the first", pick([3, 0, -1, 7]), zeros(8, 4), "TW0402"),
    Case("picked element behind the last", pick([3, 0, 8, 7]), zeros(8, 4), "TW0402"),
    Case("gathered rows", gather_rows(16, [3, 15, 0, 99]), zeros(128, 32, dtype=np.float32)),
    Case("gathered row outside", gather_rows(16, [3, 15, 0, 1]), zeros(120, 32, dtype=np.float32), "TW0402"),
    Case("scattered rows", scatter_rows([1, 5, 0, 99]), zeros(128, dtype=np.float32)),
    Case("scattered row outside", scatter_rows([1, 5, 15, 0]), zeros(127, dtype=np.float32), "TW0402"),
    Case("atomics", add_atomically(8), zeros(8)),
    Case("atomic outside", add_atomically(8, 1), zeros(8), "TW0402"),
    Case("scalar", read_scalar(3), zeros(4, 1, dtype=np.int64)),
    Case("scalar outside", read_scalar(4), zeros(4, 1, dtype=np.int64), "TW0402"),
    Case("scalar before", read_scalar(-1), zeros(4, 1, dtype=np.int64), "TW0402"),
    Case("strided view", strided_view(16), zeros(16, 8)),
    Case("strided view outside", strided_view(16), zeros(12, 8), "TW0402"),
    Case("read-only", copy_by_view(8), frozen, "TW0404"),
    Case("read-only, by pointers", copy_by_pointers(8), frozen, "TW0404"),
    Case("misaligned", copy_by_pointers(8), crooked, "TW0403"),
    Case("misaligned view", copy_by_view(8), crooked, "TW0403"),
)


# --- races


def store_block_number(offset: bool = False) -> Callable[[], Kernel]:
    """Each tile block stores its number: at one place, or each at its own."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        at = kernel.arguments[0]
        if offset:
            at = kernel.add(ops_tile.OffsetOp(at, kernel.block_id()))
        kernel.store(at, kernel.block_id())
        return kernel

    return build


def store_tiles(distance: int) -> Callable[[], Kernel]:
    """Each tile block stores 64 elements, so far behind those of the one before."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        start = kernel.add(ops_integer.MulIOp(kernel.block_id(), kernel.i32(distance)))
        at = kernel.add(ops_tile.OffsetOp(kernel.arguments[0], start))
        kernel.store_all(at, kernel.iota(64))
        return kernel

    return build


def overlapping_views(stride: int) -> Callable[[], Kernel]:
    """Each tile block stores a tile of a matrix whose rows may overlap."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        view = kernel.partition(kernel.arguments[0], (8, 16), (4, 16), strides=(stride, 1))
        ones = kernel.constant(1, tile(4, 16, i32))
        kernel.store_view(view, ones, kernel.block_id(), kernel.i32(0))
        return kernel

    return build


def read_neighbour(distance: int) -> Callable[[], Kernel]:
    """Each tile block writes its tile and reads that of another one into a result."""

    def build() -> Kernel:
        kernel = Kernel(pointer(f32), pointer(f32))
        shared, out = kernel.arguments
        mine = kernel.block_id()
        view, result = (kernel.partition(base, (512,), (64,)) for base in (shared, out))
        done = kernel.store_view(view, kernel.constant(1.0, tile(64, f32)), mine)
        other = kernel.add(ops_integer.AddIOp(mine, kernel.i32(distance)))
        kernel.store_view(result, kernel.load_view(view, other, token=done).results[0], mine)
        return kernel

    return build


def sum_into(atomic: bool, *, plain_too: bool = False) -> Callable[[], Kernel]:
    """All tile blocks add to one element."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        (total,) = kernel.arguments
        if atomic:
            kernel.add(ops_memory.AtomicRMWTkoOp(RELAXED, DEVICE, total, AtomicRMWMode.ADD, kernel.i32(1)))
        if not atomic or plain_too:
            held = kernel.load(total)
            more = kernel.add(ops_integer.AddIOp(held.results[0], kernel.i32(1)))
            kernel.store(total, more, token=held.results[1])
        return kernel

    return build


def relaxed_flags(strong: bool) -> Callable[[], Kernel]:
    """All tile blocks store the same flag, and one more reads it."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(i32))
        flag, out = kernel.arguments
        order: dict[str, Any] = {}
        if strong:
            order = {"memory_ordering_semantics": RELAXED, "memory_scope": DEVICE}
        done = kernel.store(flag, kernel.i32(1), **order)
        seen = kernel.load(flag, token=done, **order).results[0]
        kernel.store(kernel.add(ops_tile.OffsetOp(out, kernel.block_id())), seen)
        return kernel

    return build


def pass_a_message(ordered: bool) -> Callable[[], Kernel]:
    """Tile block after tile block waits for the one before, and adds 1 to all elements of a row of data."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32), pointer(f32))
        flags, data = kernel.arguments
        mine = kernel.block_id()
        view = kernel.partition(data, (64,), (64,))
        kernel.open(Block())
        order = {"memory_ordering_semantics": ACQUIRE if ordered else RELAXED, "memory_scope": DEVICE}
        seen = kernel.load(flags, **order)
        equal = kernel.add(
            ops_integer.CmpIOp(
                ComparisonPredicate.EQUAL, seen.results[0], mine, signedness=SIGNED, result_types=[tile(i1)]
            )
        )
        kernel.open(Block())
        kernel.add(ops_control.BreakOp(operands_=[seen.results[1]]))
        kernel.add(ops_control.IfOp(equal, then_region=kernel.close(), result_types=[]))
        kernel.add(ops_control.ContinueOp(operands_=[]))
        entered = kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[TOKEN]))
        loaded = kernel.load_view(view, kernel.i32(0), token=entered)
        ones = kernel.constant(1.0, tile(64, f32))
        more = kernel.add(ops_float.AddFOp(loaded.results[0], ones, rounding_mode=EVEN))
        done = kernel.store_view(view, more, kernel.i32(0), token=loaded.results[1])
        following = kernel.add(ops_integer.AddIOp(mine, kernel.i32(1)))
        order = {"memory_ordering_semantics": RELEASE if ordered else RELAXED, "memory_scope": DEVICE}
        kernel.store(flags, following, token=done, **order)
        return kernel

    return build


def store_twice(offsets: Sequence[int]) -> Callable[[], Kernel]:
    """One store to places that may be the same."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i32))
        at = kernel.constant(list(offsets), tile(len(offsets), i32))
        kernel.store(kernel.pointers(kernel.arguments[0], at), kernel.iota(len(offsets)))
        return kernel

    return build


def mixed_sizes(first: int) -> Callable[[], Kernel]:
    """One tile block writes bytes and another one reads them as a word."""

    def build() -> Kernel:
        kernel = Kernel(pointer(i8), pointer(i32), pointer(i32))
        bytes_, words, out = kernel.arguments
        is_first = kernel.add(
            ops_integer.CmpIOp(
                ComparisonPredicate.EQUAL,
                kernel.block_id(),
                kernel.i32(0),
                signedness=SIGNED,
                result_types=[tile(i1)],
            )
        )
        kernel.open(Block())
        at = kernel.add(ops_tile.OffsetOp(bytes_, kernel.i32(first)))
        kernel.store(at, kernel.constant(1, tile(i8)))
        kernel.add(ops_control.YieldOp(operands_=[]))
        then = kernel.close()
        kernel.open(Block())
        kernel.store(out, kernel.load(words).results[0])
        kernel.add(ops_control.YieldOp(operands_=[]))
        kernel.add(ops_control.IfOp(is_first, then_region=then, else_region=kernel.close(), result_types=[]))
        return kernel

    return build


def words_and_bytes() -> list[Any]:
    """The same memory as bytes and as words, and a result."""
    words = np.zeros(2, np.int32)
    return [words.view(np.int8), words, np.zeros(1, np.int32)]


RACES = (
    Case("one place for all", store_block_number(), zeros(1), "TW0406", (4, 1, 1)),
    Case("one tile block alone", store_block_number(), zeros(1)),
    Case("a place for each", store_block_number(offset=True), zeros(4), "", (4, 1, 1)),
    Case("tiles side by side", store_tiles(64), zeros(64 * 8), "", (8, 1, 1)),
    Case("tiles that overlap by one", store_tiles(63), zeros(64 * 8), "TW0406", (8, 1, 1)),
    Case("rows side by side", overlapping_views(16), zeros(8 * 16), "", (2, 1, 1)),
    Case("rows that overlap", overlapping_views(15), zeros(8 * 16), "TW0406", (1, 1, 1)),
    Case("one's own result", read_neighbour(0), zeros(512, 512, dtype=np.float32), "", (8, 1, 1)),
    Case("a neighbour's result", read_neighbour(1), zeros(512, 512, dtype=np.float32), "TW0406", (7, 1, 1)),
    Case("atomics on one place", sum_into(True), zeros(1), "", (8, 1, 1)),
    Case("sums on one place", sum_into(False), zeros(1), "TW0406", (8, 1, 1)),
    Case("flags, atomic", relaxed_flags(True), zeros(1, 4), "", (4, 1, 1)),
    Case("flags, plain", relaxed_flags(False), zeros(1, 4), "TW0406", (4, 1, 1)),
    Case(
        "messages, released and acquired",
        pass_a_message(True),
        lambda: [np.zeros(1, np.int32), np.zeros(64, np.float32)],
        "",
        (4, 1, 1),
        threads=4,
    ),
    Case(
        "messages without order",
        pass_a_message(False),
        lambda: [np.zeros(1, np.int32), np.zeros(64, np.float32)],
        "TW0406",
        (4, 1, 1),
        threads=4,
    ),
    Case("a store to different places", store_twice([3, 1, 2, 0]), zeros(4)),
    Case("a store to one place twice", store_twice([3, 1, 3, 0]), zeros(4), "TW0406"),
    Case("scattered rows, one twice", scatter_rows([1, 5, 1, 0]), zeros(128, dtype=np.float32), "TW0406"),
    Case("bytes of another word", mixed_sizes(5), words_and_bytes, "", (2, 1, 1)),
    Case("bytes of the word", mixed_sizes(2), words_and_bytes, "TW0406", (2, 1, 1)),
)
