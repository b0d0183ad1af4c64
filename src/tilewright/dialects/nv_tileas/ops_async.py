"""Asynchronous operations: their results are available once their token has been waited for."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints
from tilewright.dialects.nv_tileaa.attributes import PaddingValue, RmwMode, Signedness
from tilewright.dialects.nv_tileaa.ops.memory import BASE_DOC, COORDS, MASK_DOC, VIEW_DOC
from tilewright.dialects.nv_tileaa.rules import dot as dot_rules, memory as memory_rules
from tilewright.dialects.nv_tileaa.rules.shape import check_slice
from tilewright.dialects.nv_tileas import base as tileas_base, rules as tileas_rules
from tilewright.dialects.nv_tileas.attributes import AtomAttr
from tilewright.dialects.nv_tileas.ops_tile import ATOM_DOC, TILE_OR_VIEW
from tilewright.ir.declaration import fields, traits as ir_traits
from tilewright.ir.declaration.constraint import ANY_TYPE, Either
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RUNNING = "The operations to wait for."
BUFFER = "Where the elements go."
ANY_TOKEN = Either(
    tileaa_constraints.TOKEN, tileas_base.PRODUCER_TOKEN, tileas_base.CONSUMER_TOKEN, tileas_base.ASYNC_TOKEN
)


class AsyncCancelNextProgramIdOp(tileas_base.OrderedOp, name="nv_tileas.async.cancel_next_program_id"):
    """Starts to cancel a tile block that has not begun yet, so that this tile block can do its work. The
    response, which identifies the canceled tile block if there was one to cancel, is written to `buffer`. The
    result is an async token that is complete when the response has arrived.
    """

    buffer: Value = fields.operand_def(tileas_base.MEMORY, "The address of the result.")
    barrier: Value | None = fields.optional_operand_def(
        ANY_TYPE, "The barrier that the arrival of the result signals.", default=None
    )
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)


class AsyncCopyOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.copy"):
    """Starts to copy elements between memories, such as global and shared memory, by the instruction `atom`;
    the result is an async token that is complete when the copy is.
    """

    source: Value = fields.operand_def(TILE_OR_VIEW, "What is copied.")
    destination: Value = fields.operand_def(TILE_OR_VIEW, BUFFER)
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_copy(self.source.type, self.destination.type)


class AsyncDotOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.dot"):
    """Starts to multiply two matrices and to add a matrix; the factors may be views of shared memory. The sum
    is available when the async token, the second result, is complete.
    """

    a: Value = fields.operand_def(TILE_OR_VIEW, "The left-hand matrix, M x K.")
    b: Value = fields.operand_def(TILE_OR_VIEW, "The right-hand matrix, K x N.")
    c: Value = fields.operand_def(tileaa_constraints.TILE, "The addend, M x N.")
    accumulate: Value | None = fields.optional_operand_def(
        tileaa_constraints.I1, "Whether C is added; it is without.", default=None
    )
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    signedness_a: Signedness | None = fields.optional_attr_def(
        tileaa_constraints.SIGNEDNESS, "How integers of A are read.", default=None
    )
    signedness_b: Signedness | None = fields.optional_attr_def(
        tileaa_constraints.SIGNEDNESS, "How integers of B are read.", default=None
    )
    result: Value = fields.result_def(tileaa_constraints.TILE, "The sum, of the type of C.")
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    traits = (ir_traits.same_type("c", "result"),)
    verifies_locally = True

    def verify_(self) -> None:
        if tileaa_constraints.TILE.matches(self.a.type) and tileaa_constraints.TILE.matches(self.b.type):
            dot_rules.check_dot_elements(self)
            dot_rules.check_dot_shapes(self.a.type, self.b.type, self.c.type, self.result.type)


class AsyncExtractSliceOp(tileas_base.LayoutOp, name="nv_tileas.async.extract_slice"):
    """Extracts a part of a tile that is available when `token` is complete; the part is available when the
    token `done` is.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, "The tile.")
    token: Value = fields.operand_def(tileas_base.ASYNC_TOKEN, RUNNING)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the part begins, for each dimension."
    )
    sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, "The extents of the part.")
    result: Value = fields.result_def(tileaa_constraints.TILE, "The part.")
    done: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.source.type, self.result.type, len(self.offsets), self.sizes)


class AsyncInsertSliceOp(tileas_base.LayoutOp, name="nv_tileas.async.insert_slice"):
    """Returns a tile with a part replaced by `source`. The operands are available when `token` is complete,
    the result when the token `done` is.
    """

    source: Value = fields.operand_def(tileaa_constraints.TILE, "The part.")
    destination: Value = fields.operand_def(tileaa_constraints.TILE, "The tile.")
    token: Value = fields.operand_def(tileas_base.ASYNC_TOKEN, RUNNING)
    offsets: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the part begins, for each dimension."
    )
    sizes: tuple[int, ...] = fields.attr_def(tileaa_constraints.EXTENTS, "The extents of the part.")
    result: Value = fields.result_def(tileaa_constraints.TILE, "The tile.")
    done: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    traits = (ir_traits.Pure(), ir_traits.same_type("destination", "result"))
    verifies_locally = True

    def verify_(self) -> None:
        check_slice(self.destination.type, self.source.type, len(self.offsets), self.sizes)


class FutureWaitOp(tileaa_constraints.TileDialectOp, name="nv_tileas.async.future_wait"):
    """Waits until a token is complete, and returns the `values`, which depend on it, unchanged."""

    token: Value = fields.operand_def(tileas_base.ASYNC_TOKEN, RUNNING)
    values: tuple[Value, ...] = fields.variadic_operand_def(
        ANY_TYPE, "The values, still being computed.", default=()
    )
    results_: tuple[Value, ...] = fields.variadic_result_def(ANY_TYPE, "The values.")
    traits = (ir_traits.Pure(),)
    verifies_locally = True

    def verify_(self) -> None:
        if [value.type for value in self.values] != list(self.result_types):
            raise ir_traits.VerifyError("expects results of the types of the values")


class WaitOp(tileas_base.OrderedOp, name="nv_tileas.async.wait"):
    """Waits until the asynchronous operations of all `tokens` are complete."""

    tokens: tuple[Value, ...] = fields.variadic_operand_def(tileas_base.ASYNC_TOKEN, RUNNING, default=())


class ToAsyncOp(tileaa_constraints.TileDialectOp, name="nv_tileas.async.to_async"):
    """Returns an available value unchanged, with an async token, as an asynchronous operation does, so that a
    loop may carry both kinds of values.
    """

    source: Value = fields.operand_def(ANY_TYPE, "The value.")
    token: Value = fields.operand_def(tileas_base.ASYNC_TOKEN, RUNNING)
    result: Value = fields.result_def(ANY_TYPE, "The same value.")
    done: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    traits = (ir_traits.Pure(), ir_traits.same_type("source", "result"))


class TokenToAsyncOp(tileaa_constraints.TileDialectOp, name="nv_tileas.async.token_to_async"):
    """Converts a token of memory order, or of a pipeline, to an async token that is complete when the
    operations of the token are.
    """

    source: Value = fields.operand_def(ANY_TOKEN, "The token.")
    result: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    traits = (ir_traits.Pure(),)


class AsyncLoadOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.load"):
    """Starts to read elements from memory into a buffer. Elements whose mask is false are not read; they
    become `other`. The result is an async token that is complete when the buffer is filled.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    buffer: Value = fields.operand_def(tileas_base.VIEW, BUFFER)
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    other: Value | None = fields.optional_operand_def(
        tileaa_constraints.ELEMENT_LIKE, "The values of masked-off elements.", default=None
    )
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    partial: bool = fields.flag_def(
        "Masks may differ in one copy: then its first elements exist, and its last do not.", default=False
    )
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)


class AsyncStoreOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.store"):
    """Starts to write the elements of a buffer whose mask is true to memory; all elements without a mask. The
    result is an async token that is complete when the elements are written.
    """

    base: Value = fields.operand_def(tileaa_constraints.BASE, BASE_DOC)
    buffer: Value = fields.operand_def(tileas_base.VIEW, "Where the elements come from.")
    mask: Value | None = fields.optional_operand_def(tileaa_constraints.MASK, MASK_DOC, default=None)
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)


class AsyncTiledLoadOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.tiled_load"):
    """Starts to read one tile of a view in memory into a buffer; elements outside of the memory become
    `padding_value`. The result is an async token that is complete when the buffer is filled.
    """

    view: Value = fields.operand_def(tileas_base.VIEW, VIEW_DOC)
    buffer: Value = fields.operand_def(tileas_base.VIEW, BUFFER)
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS, default=())
    atom: AtomAttr | None = fields.optional_attr_def(tileas_base.ATOM, ATOM_DOC, default=None)
    padding_value: PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)


class AsyncTiledAtomicRmwOp(tileas_base.OrderedLayoutOp, name="nv_tileas.async.tiled_atomic_rmw"):
    """Starts to combine one box of the memory of `descriptor` with the elements of a buffer in shared memory,
    by `rmw_mode` and the copy engine. The result is an async token; the old elements are not returned.
    """

    descriptor: Value = fields.operand_def(tileas_base.DESCRIPTOR, "Describes the memory.")
    buffer: Value = fields.operand_def(
        tileas_base.VIEW, "The operands that the elements in memory are combined with."
    )
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS)
    rmw_mode: RmwMode = fields.attr_def(tileaa_constraints.RMW_MODE, "What is computed.")
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_atom(self.atom, "reduce")
        tileas_rules.check_box(self.descriptor.type, self.buffer.type)
        memory_rules.check_tiled_atomic(
            self, tileaa_constraints.element_of(getattr(self.buffer.type, "element_type", self.buffer.type))
        )


class TiledTMALoadOp(tileas_base.OrderedOp, name="nv_tileas.async.tiled_tma_load"):
    """Starts a copy of one box of the memory of `descriptor`, the tile with the index `coords`, into shared
    memory by the copy engine, which signals `barrier` when the copy is complete. The result is an async
    token, which is then complete as well.
    """

    descriptor: Value = fields.operand_def(tileas_base.DESCRIPTOR, "Describes the memory.")
    buffer: Value = fields.operand_def(tileas_base.VIEW, BUFFER)
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS)
    barrier: Value | None = fields.optional_operand_def(ANY_TYPE, "What is told.")
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    padding_value: PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_atom(self.atom, "load")
        tileas_rules.check_box(self.descriptor.type, self.buffer.type)


class TiledTMAStoreOp(tileas_base.OrderedOp, name="nv_tileas.async.tiled_tma_store"):
    """Starts a copy of one box from shared memory to the memory of `descriptor` by the copy engine; the
    result is an async token that is complete when the copy is.
    """

    descriptor: Value = fields.operand_def(tileas_base.DESCRIPTOR, "Describes the memory.")
    buffer: Value = fields.operand_def(tileas_base.VIEW, "Where the box comes from.")
    coords: tuple[Value, ...] = fields.variadic_operand_def(tileaa_constraints.INDEX, COORDS)
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_atom(self.atom, "store")
        tileas_rules.check_box(self.descriptor.type, self.buffer.type)


class GatherTMALoadOp(tileas_base.OrderedOp, name="nv_tileas.async.gather_tma_load"):
    """Starts a read of rows of the memory of `descriptor` into shared memory by the copy engine; `rows` has
    the index of each row. The engine signals `barrier` when the rows have arrived; the result is an async
    token, which is then complete as well.
    """

    descriptor: Value = fields.operand_def(tileas_base.DESCRIPTOR, "Describes the memory.")
    buffer: Value = fields.operand_def(tileas_base.VIEW, BUFFER)
    rows: Value = fields.operand_def(
        tileaa_constraints.FIXED_INTEGER_LIKE, "Where each row is along the first dimension."
    )
    coords: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the rows begin along the others."
    )
    barrier: Value | None = fields.optional_operand_def(ANY_TYPE, "The barrier that their arrival signals.")
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    padding_value: PaddingValue | None = fields.optional_attr_def(
        tileaa_constraints.PADDING_VALUE, "What lies outside.", default=None
    )
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_atom(self.atom, "load")


class ScatterTMAStoreOp(tileas_base.OrderedOp, name="nv_tileas.async.scatter_tma_store"):
    """Starts a write of rows from shared memory to the memory of `descriptor` by the copy engine; `rows` has
    the index of each row. The result is an async token that is complete when the rows are written.
    """

    descriptor: Value = fields.operand_def(tileas_base.DESCRIPTOR, "Describes the memory.")
    buffer: Value = fields.operand_def(tileas_base.VIEW, "Where the rows come from.")
    rows: Value = fields.operand_def(
        tileaa_constraints.FIXED_INTEGER_LIKE, "Where each row is along the first dimension."
    )
    coords: tuple[Value, ...] = fields.variadic_operand_def(
        tileaa_constraints.INDEX, "Where the rows begin along the others."
    )
    atom: AtomAttr = fields.attr_def(tileas_base.ATOM, ATOM_DOC)
    token: Value = fields.result_def(tileas_base.ASYNC_TOKEN, RUNNING)
    verifies_locally = True

    def verify_(self) -> None:
        tileas_rules.check_atom(self.atom, "store")


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
