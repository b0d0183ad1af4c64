"""Operations that may still be running when the next one begins: their results are there once their token is waited for."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.attributes import PaddingValue, RmwMode, Signedness
from tilewright.dialects.nv_tileaa.constraints import (
    BASE,
    ELEMENT_LIKE,
    EXTENTS,
    FIXED_INTEGER_LIKE,
    I1,
    INDEX,
    MASK,
    PADDING_VALUE,
    RMW_MODE,
    SIGNEDNESS,
    TILE,
    TOKEN,
    TileDialectOp,
    element_of,
)
from tilewright.dialects.nv_tileaa.ops.memory import BASE_DOC, COORDS, MASK_DOC, VIEW_DOC
from tilewright.dialects.nv_tileaa.rules.dot import check_dot_elements, check_dot_shapes
from tilewright.dialects.nv_tileaa.rules.memory import check_tiled_atomic
from tilewright.dialects.nv_tileaa.rules.shape import check_slice
from tilewright.dialects.nv_tileas.attributes import AtomAttr
from tilewright.dialects.nv_tileas.base import (
    ASYNC_TOKEN,
    ATOM,
    CONSUMER_TOKEN,
    DESCRIPTOR,
    MEMORY,
    PRODUCER_TOKEN,
    VIEW,
    LayoutOp,
    OrderedLayoutOp,
    OrderedOp,
)
from tilewright.dialects.nv_tileas.ops_tile import ATOM_DOC, TILE_OR_VIEW
from tilewright.dialects.nv_tileas.rules import check_atom, check_box, check_copy
from tilewright.ir.declaration.constraint import ANY_TYPE, Either
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import Pure, VerifyError, same_type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RUNNING = "The operations to wait for."
BUFFER = "Where the elements go."
ANY_TOKEN = Either(TOKEN, PRODUCER_TOKEN, CONSUMER_TOKEN, ASYNC_TOKEN)


class AsyncCancelNextProgramIdOp(OrderedOp, name="nv_tileas.async.cancel_next_program_id"):
    """Begins to take over an instance of the program that has not begun yet."""

    buffer: Value = operand_def(MEMORY, "The address of the result.")
    barrier: Value | None = optional_operand_def(
        ANY_TYPE, "The barrier that the arrival of the result signals.", default=None
    )
    token: Value = result_def(ASYNC_TOKEN, RUNNING)


class AsyncCopyOp(OrderedLayoutOp, name="nv_tileas.async.copy"):
    """Begins to copy elements from one residency to another."""

    source: Value = operand_def(TILE_OR_VIEW, "What is copied.")
    destination: Value = operand_def(TILE_OR_VIEW, BUFFER)
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_copy(self.source.type, self.destination.type)


class AsyncDotOp(OrderedLayoutOp, name="nv_tileas.async.dot"):
    """Begins to multiply two matrices and to add a matrix; the factors may be views of shared memory."""

    a: Value = operand_def(TILE_OR_VIEW, "The left-hand matrix, M x K.")
    b: Value = operand_def(TILE_OR_VIEW, "The right-hand matrix, K x N.")
    c: Value = operand_def(TILE, "The addend, M x N.")
    accumulate: Value | None = optional_operand_def(I1, "Whether C is added; it is without.", default=None)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    signedness_a: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of A are read.", default=None
    )
    signedness_b: Signedness | None = optional_attr_def(
        SIGNEDNESS, "How integers of B are read.", default=None
    )
    result: Value = result_def(TILE, "The sum, of the type of C.")
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    traits = (same_type("c", "result"),)
    verifies_locally = True

    def verify_(self) -> None:
        if TILE.matches(self.a.type) and TILE.matches(self.b.type):
            check_dot_elements(self)
            check_dot_shapes(self.a.type, self.b.type, self.c.type, self.result.type)


class AsyncExtractSliceOp(LayoutOp, name="nv_tileas.async.extract_slice"):
    """A part of a tile that is still being computed."""

    source: Value = operand_def(TILE, "The tile.")
    token: Value = operand_def(ASYNC_TOKEN, RUNNING)
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the part begins, for each dimension.")
    sizes: tuple[int, ...] = attr_def(EXTENTS, "The extents of the part.")
    result: Value = result_def(TILE, "The part.")
    done: Value = result_def(ASYNC_TOKEN, RUNNING)
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.source.type, self.result.type, len(self.offsets), self.sizes)


class AsyncInsertSliceOp(LayoutOp, name="nv_tileas.async.insert_slice"):
    """A tile with a part replaced that is still being computed."""

    source: Value = operand_def(TILE, "The part.")
    destination: Value = operand_def(TILE, "The tile.")
    token: Value = operand_def(ASYNC_TOKEN, RUNNING)
    offsets: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the part begins, for each dimension.")
    sizes: tuple[int, ...] = attr_def(EXTENTS, "The extents of the part.")
    result: Value = result_def(TILE, "The tile.")
    done: Value = result_def(ASYNC_TOKEN, RUNNING)
    traits = (Pure(), same_type("destination", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.destination.type, self.source.type, len(self.offsets), self.sizes)


class FutureWaitOp(TileDialectOp, name="nv_tileas.async.future_wait"):
    """Values that are there once a token has been waited for."""

    token: Value = operand_def(ASYNC_TOKEN, RUNNING)
    values: tuple[Value, ...] = variadic_operand_def(
        ANY_TYPE, "The values, still being computed.", default=()
    )
    results_: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "The values.")
    traits = (Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if [value.type for value in self.values] != list(self.result_types):
            raise VerifyError("expects results of the types of the values")


class WaitOp(OrderedOp, name="nv_tileas.async.wait"):
    """Waits for operations that are still running."""

    tokens: tuple[Value, ...] = variadic_operand_def(ASYNC_TOKEN, RUNNING, default=())


class ToAsyncOp(TileDialectOp, name="nv_tileas.async.to_async"):
    """A value that is there as one that is waited for, so that loops may carry it."""

    source: Value = operand_def(ANY_TYPE, "The value.")
    token: Value = operand_def(ASYNC_TOKEN, RUNNING)
    result: Value = result_def(ANY_TYPE, "The same value.")
    done: Value = result_def(ASYNC_TOKEN, RUNNING)
    traits = (Pure(), same_type("source", "result"))


class TokenToAsyncOp(TileDialectOp, name="nv_tileas.async.token_to_async"):
    """Converts a token of memory order, or of a pipeline, to an async token."""

    source: Value = operand_def(ANY_TOKEN, "The token.")
    result: Value = result_def(ASYNC_TOKEN, RUNNING)
    traits = (Pure(),)


class AsyncLoadOp(OrderedLayoutOp, name="nv_tileas.async.load"):
    """Begins to read elements into a buffer."""

    base: Value = operand_def(BASE, BASE_DOC)
    buffer: Value = operand_def(VIEW, BUFFER)
    mask: Value | None = optional_operand_def(MASK, MASK_DOC, default=None)
    other: Value | None = optional_operand_def(
        ELEMENT_LIKE, "The values of masked-off elements.", default=None
    )
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)


class AsyncStoreOp(OrderedLayoutOp, name="nv_tileas.async.store"):
    """Begins to write elements of a buffer."""

    base: Value = operand_def(BASE, BASE_DOC)
    buffer: Value = operand_def(VIEW, "Where the elements come from.")
    mask: Value | None = optional_operand_def(MASK, MASK_DOC, default=None)
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)


class AsyncTiledLoadOp(OrderedLayoutOp, name="nv_tileas.async.tiled_load"):
    """Begins to read one tile of a view into a buffer."""

    view: Value = operand_def(VIEW, VIEW_DOC)
    buffer: Value = operand_def(VIEW, BUFFER)
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS, default=())
    atom: AtomAttr | None = optional_attr_def(ATOM, ATOM_DOC, default=None)
    padding_value: PaddingValue | None = optional_attr_def(PADDING_VALUE, "What lies outside.", default=None)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)


class AsyncTiledAtomicRmwOp(OrderedLayoutOp, name="nv_tileas.async.tiled_atomic_rmw"):
    """Begins to combine one tile of memory with a buffer, through the copy engine."""

    descriptor: Value = operand_def(DESCRIPTOR, "Describes the memory.")
    buffer: Value = operand_def(VIEW, "The operands that the elements in memory are combined with.")
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS)
    rmw_mode: RmwMode = attr_def(RMW_MODE, "What is computed.")
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_atom(self.atom, "reduce")
        check_box(self.descriptor.type, self.buffer.type)
        check_tiled_atomic(self, element_of(getattr(self.buffer.type, "element_type", self.buffer.type)))


class TiledTMALoadOp(OrderedOp, name="nv_tileas.async.tiled_tma_load"):
    """Starts a read of one box into shared memory by the copy engine, which signals a barrier at the end."""

    descriptor: Value = operand_def(DESCRIPTOR, "Describes the memory.")
    buffer: Value = operand_def(VIEW, BUFFER)
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS)
    barrier: Value | None = optional_operand_def(ANY_TYPE, "What is told.")
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    padding_value: PaddingValue | None = optional_attr_def(PADDING_VALUE, "What lies outside.", default=None)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_atom(self.atom, "load")
        check_box(self.descriptor.type, self.buffer.type)


class TiledTMAStoreOp(OrderedOp, name="nv_tileas.async.tiled_tma_store"):
    """The copy engine begins to write one box from shared memory."""

    descriptor: Value = operand_def(DESCRIPTOR, "Describes the memory.")
    buffer: Value = operand_def(VIEW, "Where the box comes from.")
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, COORDS)
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_atom(self.atom, "store")
        check_box(self.descriptor.type, self.buffer.type)


class GatherTMALoadOp(OrderedOp, name="nv_tileas.async.gather_tma_load"):
    """Starts a read of rows by the copy engine, each with its own index, into shared memory."""

    descriptor: Value = operand_def(DESCRIPTOR, "Describes the memory.")
    buffer: Value = operand_def(VIEW, BUFFER)
    rows: Value = operand_def(FIXED_INTEGER_LIKE, "Where each row is along the first dimension.")
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the rows begin along the others.")
    barrier: Value | None = optional_operand_def(ANY_TYPE, "The barrier that their arrival signals.")
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    padding_value: PaddingValue | None = optional_attr_def(PADDING_VALUE, "What lies outside.", default=None)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_atom(self.atom, "load")


class ScatterTMAStoreOp(OrderedOp, name="nv_tileas.async.scatter_tma_store"):
    """Starts a write of rows by the copy engine, each with its own index, from shared memory."""

    descriptor: Value = operand_def(DESCRIPTOR, "Describes the memory.")
    buffer: Value = operand_def(VIEW, "Where the rows come from.")
    rows: Value = operand_def(FIXED_INTEGER_LIKE, "Where each row is along the first dimension.")
    coords: tuple[Value, ...] = variadic_operand_def(INDEX, "Where the rows begin along the others.")
    atom: AtomAttr = attr_def(ATOM, ATOM_DOC)
    token: Value = result_def(ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        check_atom(self.atom, "store")


OPERATIONS: tuple[type[Operation], ...] = (
    AsyncCancelNextProgramIdOp,
    AsyncCopyOp,
    AsyncDotOp,
    AsyncExtractSliceOp,
    AsyncInsertSliceOp,
    FutureWaitOp,
    WaitOp,
    ToAsyncOp,
    TokenToAsyncOp,
    AsyncLoadOp,
    AsyncStoreOp,
    AsyncTiledLoadOp,
    AsyncTiledAtomicRmwOp,
    TiledTMALoadOp,
    TiledTMAStoreOp,
    GatherTMALoadOp,
    ScatterTMAStoreOp,
)
