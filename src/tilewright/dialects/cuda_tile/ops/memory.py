"""Memory: loads and stores, atomics, tokens, dependent launches.

Memory operations are ordered by tokens and data flow only, never by program order.  Each takes an optional token
(what must be complete before) and returns one (its own completion).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tilewright.dialects.cuda_tile import constraints as cuda_tile_constraints, enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.base import TileOp, tile_op
from tilewright.dialects.cuda_tile.constraints import TOKEN_TYPE
from tilewright.dialects.cuda_tile.enums import MemoryOrderingSemantics
from tilewright.dialects.cuda_tile.interfaces import WeakLoadMotion
from tilewright.dialects.cuda_tile.rules import memory as cuda_tile_memory_rules, views as views_rules
from tilewright.dialects.cuda_tile.types import TOKEN, tile_of
from tilewright.dialects.cuda_tile.version import V13_3, V13_4, V13_5
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i1
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint, fields
from tilewright.ir.declaration.traits import Pure, VerifyError, same_shape, same_type
from tilewright.ir.value import Value

MEMORY_GROUP = "Loads and stores"
ATOMIC_GROUP = "Atomics"
TOKEN_GROUP = "Tokens and launches"
MULTIMEM_GROUP = "Multi-device memory"

ORDERING = attribute_kind.EnumKind(cuda_tile_enums.MemoryOrderingSemanticsAttr)
SCOPE = attribute_kind.EnumKind(cuda_tile_enums.MemoryScopeAttr)
MODE = attribute_kind.EnumKind(cuda_tile_enums.AtomicRMWModeAttr)
REDUCTION = attribute_kind.EnumKind(cuda_tile_enums.MultimemReductionKindAttr)
HINTS = attribute_kind.InstanceKind(OptimizationHintsAttr, "optimization hints")
INBOUNDS = attribute_kind.DenseArrayKind(i1)
ORDERING_DOC = "How the access is ordered."
SCOPE_DOC = "The threads among which it is ordered; absent for weak accesses."
HINTS_DOC = "Advice for the compiler."
INBOUNDS_DOC = "Per tile dimension: the program promises that the tile fits; absent means no promise."
TOKEN_IN = "The operations that must be complete before."
TOKEN_OUT = "Stands for the completion."
INDEX_DOC = "The index of the tile: one number per dimension, read as unsigned."
REDUCES_BY_ADDING: Mapping[str, Attribute] = {
    "reduction": cuda_tile_enums.MultimemReductionKindAttr(cuda_tile_enums.MultimemReductionKind.ADD)
}
OLD = declaration_constraint.TypeVariable("V", cuda_tile_constraints.ANY_TILE)


@tile_op(0x3D, MEMORY_GROUP)
class LoadPtrTkoOp(TileOp, name="cuda_tile.load_ptr_tko"):
    """Loads through a tile of pointers. Masked-off lanes read nothing and give `padding_value`; without one
    their elements are unspecified.
    """

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    source: Value = fields.operand_def(cuda_tile_constraints.POINTER_TILE, "The addresses.")
    mask: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.BOOLEAN_TILE, "Which lanes load.", default=None
    )
    padding_value: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.NUMBER_TILE, "The elements of masked-off lanes.", default=None
    )
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    optimization_hints: OptimizationHintsAttr | None = fields.optional_attr_def(
        HINTS, HINTS_DOC, default=None
    )
    result: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The loaded elements.")
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $source (`,` $mask^)? "
        "(`,` $padding_value^)? (`token` `` `=` `` $token^)? "
        "(`optimization_hints` `=` custom<Hints>($optimization_hints)^)? attr-dict `:` type($source) "
        "`` custom<LaneTypes>($mask, $padding_value) `->` type($result) `,` type($result_token)"
    )
    concepts = (WeakLoadMotion,)
    traits = cuda_tile_memory_rules.LOAD_RULES

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [cuda_tile_memory_rules.loaded_type(operands[0]), TOKEN]

    def verify_(self) -> None:
        cuda_tile_memory_rules.check_not_multicast(self.source)
        cuda_tile_memory_rules.check_load_ordering(self.memory_ordering_semantics, self.memory_scope)


@tile_op(0x65, MEMORY_GROUP)
class StorePtrTkoOp(TileOp, name="cuda_tile.store_ptr_tko"):
    """Stores through a tile of pointers; masked-off lanes write nothing."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    destination: Value = fields.operand_def(cuda_tile_constraints.POINTER_TILE, "The addresses.")
    value: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The elements.")
    mask: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.BOOLEAN_TILE, "Which lanes store.", default=None
    )
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    optimization_hints: OptimizationHintsAttr | None = fields.optional_attr_def(
        HINTS, HINTS_DOC, default=None
    )
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $destination `,` $value (`,` $mask^)? "
        "(`token` `` `=` `` $token^)? (`optimization_hints` `=` custom<Hints>($optimization_hints)^)? "
        "attr-dict `:` type($destination) `,` type($value) (`,` type($mask)^)? `->` type($result_token)"
    )
    traits = cuda_tile_memory_rules.STORE_RULES

    def verify_(self) -> None:
        cuda_tile_memory_rules.check_not_multicast(self.destination)
        cuda_tile_memory_rules.check_store_ordering(self.memory_ordering_semantics, self.memory_scope)


@tile_op(0x3E, MEMORY_GROUP)
class LoadViewTkoOp(TileOp, name="cuda_tile.load_view_tko"):
    """Loads the tile of a view at `index`. Elements outside of the tensor are the view's padding, or
    unspecified if it has none.
    """

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    optimization_hints: OptimizationHintsAttr | None = fields.optional_attr_def(
        HINTS, HINTS_DOC, default=None
    )
    inbounds: tuple[bool, ...] | None = fields.attr_def(
        INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None, since=V13_4
    )
    tile: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    concepts = (WeakLoadMotion,)
    assembly_format = (
        "custom<StrictOrder>($memory_ordering_semantics, $memory_scope) $view `[` $index `]` (`token` `=` "
        "$token^)? (`optimization_hints` `=` custom<Hints>($optimization_hints)^)? "
        "(custom<InBounds>($inbounds)^)? attr-dict-with-keyword `:` type($view) `` "
        "custom<IndexTypes>($index) `->` type($tile) `,` type($result_token)"
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return views_rules.access_types(operands)

    def verify_(self) -> None:
        views_rules.check_tile_access(self.view, self.index, self.tile)
        views_rules.check_view_not_multicast(self.view)
        views_rules.check_inbounds(self.inbounds, self.index)
        cuda_tile_memory_rules.check_load_ordering(self.memory_ordering_semantics, self.memory_scope)


@tile_op(0x66, MEMORY_GROUP)
class StoreViewTkoOp(TileOp, name="cuda_tile.store_view_tko"):
    """Stores a tile into a view at `index`. Elements outside of the tensor are dropped."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    tile: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    optimization_hints: OptimizationHintsAttr | None = fields.optional_attr_def(
        HINTS, HINTS_DOC, default=None
    )
    inbounds: tuple[bool, ...] | None = fields.attr_def(
        INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None, since=V13_4
    )
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<StrictOrder>($memory_ordering_semantics, $memory_scope) $tile `,` $view `[` $index `]` (`token` "
        "`=` $token^)? (`optimization_hints` `=` custom<Hints>($optimization_hints)^)? "
        "(custom<InBounds>($inbounds)^)? attr-dict-with-keyword `:` type($tile) `,` type($view) `` "
        "custom<IndexTypes>($index) `->` type($result_token)"
    )

    def verify_(self) -> None:
        views_rules.check_tile_access(self.view, self.index, self.tile)
        views_rules.check_view_not_multicast(self.view)
        views_rules.check_inbounds(self.inbounds, self.index)
        cuda_tile_memory_rules.check_store_ordering(self.memory_ordering_semantics, self.memory_scope)


@tile_op(0x07, ATOMIC_GROUP)
class AtomicCASTkoOp(TileOp, name="cuda_tile.atomic_cas_tko"):
    """Atomic compare-and-swap, comparing bits; returns the old value (masked-off lanes: `cmp`)."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope = fields.attr_def(
        SCOPE, "The threads among which it is atomic."
    )
    pointers: Value = fields.operand_def(cuda_tile_constraints.POINTER_TILE, "The addresses.")
    cmp: Value = fields.operand_def(OLD, "The expected elements in memory.")
    val: Value = fields.operand_def(OLD, "The elements that replace equal ones.")
    mask: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.BOOLEAN_TILE, "The mask of the lanes that take part.", default=None
    )
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result: Value = fields.result_def(OLD, "The old values.")
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $pointers `,` $cmp `,` $val (`,` $mask^)? "
        "(`token` `` `=` `` $token^)? attr-dict `:` type($pointers) `,` type($val) (`,` type($mask)^)? `->` "
        "type($result) `,` type($result_token)"
    )
    traits = (same_shape("pointers", "cmp", "val", "result"), same_type("cmp", "val", "result"))

    def verify_(self) -> None:
        cuda_tile_memory_rules.check_not_multicast(self.pointers, "is not supported for atomic_cas")
        cuda_tile_memory_rules.check_pointee(self.pointers, self.val, "val")
        cuda_tile_memory_rules.check_compared(tile_of(self.val).element_type)
        cuda_tile_memory_rules.check_mask(self.mask, self.val, "pointers, val, cmp and mask")
        cuda_tile_memory_rules.check_atomic_ordering(self.memory_ordering_semantics)


@tile_op(0x08, ATOMIC_GROUP)
class AtomicRMWTkoOp(TileOp, name="cuda_tile.atomic_rmw_tko"):
    """Atomic read-modify-write; returns the old value (masked-off lanes: unspecified).

    `max` and `min` are signed, `umax` and `umin` unsigned; `addf` rounds to nearest even.
    """

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope = fields.attr_def(
        SCOPE, "The threads among which it is atomic."
    )
    pointers: Value = fields.operand_def(cuda_tile_constraints.POINTER_TILE, "The addresses.")
    mode: cuda_tile_enums.AtomicRMWMode = fields.attr_def(MODE, "What is computed.")
    arg: Value = fields.operand_def(OLD, "The second operand of the computation.")
    mask: Value | None = fields.optional_operand_def(
        cuda_tile_constraints.BOOLEAN_TILE, "The mask of the lanes that take part.", default=None
    )
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result: Value = fields.result_def(OLD, "The old values.")
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $pointers `,` custom<Choice>($mode) `,` "
        "$arg (`,` $mask^)? (`token` `` `=` `` $token^)? attr-dict `:` type($pointers) `,` type($arg) (`,` "
        "type($mask)^)? `->` type($result) `,` type($result_token)"
    )
    traits = (same_shape("pointers", "arg", "result"), same_type("arg", "result"))

    def verify_(self) -> None:
        cuda_tile_memory_rules.check_not_multicast(self.pointers, "is not supported for atomic_rmw")
        cuda_tile_memory_rules.check_pointee(self.pointers, self.arg, "arg")
        cuda_tile_memory_rules.check_mask(self.mask, self.arg, "pointers, arg, mask")
        cuda_tile_memory_rules.check_atomic_element(self.mode, tile_of(self.arg).element_type)
        cuda_tile_memory_rules.check_atomic_ordering(self.memory_ordering_semantics)


@tile_op(0x75, ATOMIC_GROUP, V13_3)
class AtomicRedViewTkoOp(TileOp, name="cuda_tile.atomic_red_view_tko"):
    """Combines each element of the view's tile at `index` atomically with an element of `value` by the
    function `mode`. Elements outside of the tensor are skipped; the old elements are not returned.
    """

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope = fields.attr_def(
        SCOPE, "The threads among which it is atomic."
    )
    mode: cuda_tile_enums.AtomicRMWMode = fields.attr_def(MODE, "The combining function; not `xchg`.")
    inbounds: tuple[bool, ...] | None = fields.attr_def(
        INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None, since=V13_5
    )
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    value: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $view `[` $index `]` `,` "
        "custom<Word>($mode) `,` $value (`token` `=` $token^)? (custom<InBounds>($inbounds)^)? "
        "attr-dict-with-keyword `:` type($value) `,` type($view) `` custom<IndexTypes>($index) `->` "
        "type($result_token)"
    )

    def verify_(self) -> None:
        views_rules.check_reduced_view(self.view, self.value)
        if self.mode is cuda_tile_enums.AtomicRMWMode.XCHG:
            raise VerifyError("atomic_red_view_tko op cannot use xchg operation")
        cuda_tile_memory_rules.check_atomic_element(self.mode, tile_of(self.value).element_type)
        views_rules.check_reduction_order(self.memory_ordering_semantics, self.memory_scope)
        views_rules.check_reduction_indices(self.view, self.index)
        views_rules.check_inbounds(self.inbounds, self.index)
        views_rules.check_view_not_multicast(self.view)


@tile_op(0x71, MEMORY_GROUP, V13_3)
class AllocaOp(TileOp, name="cuda_tile.alloca"):
    """Allocates memory that lives until the end of the enclosing block, private to the tile block unless
    `global`.
    """

    num_elem: int = fields.attr_def(cuda_tile_constraints.non_negative_i64(), "Number of elements.")
    alignment: int = fields.attr_def(
        cuda_tile_constraints.non_negative_i64(), "Alignment in bytes, a power of two."
    )
    global_: bool = fields.flag_def("Visible to other tile blocks.", default=False)
    result: Value = fields.result_def(
        cuda_tile_constraints.SCALAR_POINTER, "The address of the first element."
    )
    assembly_format = (
        "`num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict `:` "
        "type($result)"
    )

    def verify_(self) -> None:
        cuda_tile_memory_rules.check_alignment(self.alignment, self.result)


@tile_op(0x44, TOKEN_GROUP)
class MakeTokenOp(TileOp, name="cuda_tile.make_token"):
    """Creates a token that waits for no operation."""

    result: Value = fields.result_def(TOKEN_TYPE, "The token.")
    assembly_format = "attr-dict `:` type($result)"
    traits = (Pure(),)


@tile_op(0x3C, TOKEN_GROUP)
class JoinTokensOp(TileOp, name="cuda_tile.join_tokens"):
    """Returns a token that is complete when all operand tokens are."""

    tokens: tuple[Value, ...] = fields.variadic_operand_def(TOKEN_TYPE, "Two or more tokens.")
    result: Value = fields.result_def(TOKEN_TYPE, "All of them.")
    assembly_format = "$tokens attr-dict `:` type($result)"
    traits = (Pure(),)

    def verify_(self) -> None:
        if len(self.tokens) < 2:
            raise VerifyError("expect two or more tokens")


@tile_op(0x77, TOKEN_GROUP, V13_4)
class GdcLaunchDependentsTkoOp(TileOp, name="cuda_tile.gdc_launch_dependents_tko"):
    """Lets the next grid of a programmatic dependent launch start."""

    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = "(`token` `=` $token^)? attr-dict `->` type($result_token)"


@tile_op(0x78, TOKEN_GROUP, V13_4)
class GdcWaitTkoOp(TileOp, name="cuda_tile.gdc_wait_tko"):
    """Waits for the previous grid of a programmatic dependent launch."""

    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = "(`token` `=` $token^)? attr-dict `->` type($result_token)"


@tile_op(0x7A, TOKEN_GROUP, V13_4)
class MemoryFenceAliasTkoOp(TileOp, name="cuda_tile.memory_fence_alias_tko"):
    """Orders accesses that reach the same memory through different mappings."""

    token: Value = fields.operand_def(TOKEN_TYPE, TOKEN_IN)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = "$token attr-dict"


@tile_op(0x7B, MULTIMEM_GROUP, V13_5)
class MultimemLoadReduceViewTkoOp(TileOp, name="cuda_tile.multimem_load_reduce_view_tko"):
    """Loads a tile from every device behind a multicast view and reduces the copies."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    reduction: cuda_tile_enums.MultimemReductionKind = fields.attr_def(REDUCTION, "How copies are combined.")
    inbounds: tuple[bool, ...] | None = fields.attr_def(INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None)
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view, over a multicast pointer.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    reduced_values: Value = fields.result_def(cuda_tile_constraints.ANY_TILE, "The reduced tile.")
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $view `[` $index `]` (`token` `=` "
        "$token^)? custom<InBounds>($inbounds) attr-dict-with-keyword `:` type($view) `` "
        "custom<IndexTypes>($index, $token) `->` type($reduced_values) `,` type($result_token)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = REDUCES_BY_ADDING

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return views_rules.access_types(operands)

    def verify_(self) -> None:
        views_rules.check_tile_access(self.view, self.index, self.reduced_values)
        cuda_tile_memory_rules.check_multimem_reduction(
            self.reduction, tile_of(self.reduced_values), load=True
        )
        views_rules.check_multicast(self.view)
        views_rules.check_inbounds(self.inbounds, self.index)
        cuda_tile_memory_rules.check_load_ordering(self.memory_ordering_semantics, self.memory_scope)


@tile_op(0x7C, MULTIMEM_GROUP, V13_5)
class MultimemReduceViewTkoOp(TileOp, name="cuda_tile.multimem_reduce_view_tko"):
    """Reduces a tile into the copies on all devices behind a multicast view."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope = fields.attr_def(
        SCOPE, "The threads among which it is atomic."
    )
    reduction: cuda_tile_enums.MultimemReductionKind = fields.attr_def(
        REDUCTION, "How the tile is combined with the copies."
    )
    inbounds: tuple[bool, ...] | None = fields.attr_def(INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None)
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view, over a multicast pointer.")
    tile: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $view `,` $tile `[` $index `]` (`token` "
        "`=` $token^)? custom<InBounds>($inbounds) attr-dict-with-keyword `:` type($view) `,` type($tile) "
        "`` custom<IndexTypes>($index, $token) `->` type($result_token)"
    )
    format_defaults: ClassVar[Mapping[str, Attribute]] = REDUCES_BY_ADDING

    def verify_(self) -> None:
        views_rules.check_tile_access(self.view, self.index, self.tile)
        cuda_tile_memory_rules.check_multimem_reduction(self.reduction, tile_of(self.tile), load=False)
        views_rules.check_multicast(self.view)
        views_rules.check_inbounds(self.inbounds, self.index)
        cuda_tile_memory_rules.check_atomic_ordering(
            self.memory_ordering_semantics, cuda_tile_memory_rules.REDUCE_ORDERINGS
        )


@tile_op(0x7D, MULTIMEM_GROUP, V13_5)
class MultimemStoreViewTkoOp(TileOp, name="cuda_tile.multimem_store_view_tko"):
    """Stores a tile to the copies on all devices behind a multicast view."""

    memory_ordering_semantics: MemoryOrderingSemantics = fields.attr_def(ORDERING, ORDERING_DOC)
    memory_scope: cuda_tile_enums.MemoryScope | None = fields.optional_attr_def(
        SCOPE, SCOPE_DOC, default=None
    )
    inbounds: tuple[bool, ...] | None = fields.attr_def(INBOUNDS, INBOUNDS_DOC, kw_only=True, default=None)
    view: Value = fields.operand_def(cuda_tile_constraints.TILE_VIEW, "The view, over a multicast pointer.")
    tile: Value = fields.operand_def(cuda_tile_constraints.ANY_TILE, "The tile.")
    index: tuple[Value, ...] = fields.variadic_operand_def(cuda_tile_constraints.INTEGER_TILE, INDEX_DOC)
    token: Value | None = fields.optional_operand_def(TOKEN_TYPE, TOKEN_IN, default=None)
    result_token: Value = fields.result_def(TOKEN_TYPE, TOKEN_OUT)
    assembly_format = (
        "custom<Order>($memory_ordering_semantics, $memory_scope) $view `,` $tile `[` $index `]` (`token` "
        "`=` $token^)? custom<InBounds>($inbounds) attr-dict-with-keyword `:` type($view) `,` type($tile) "
        "`` custom<IndexTypes>($index, $token) `->` type($result_token)"
    )

    def verify_(self) -> None:
        views_rules.check_tile_access(self.view, self.index, self.tile)
        cuda_tile_memory_rules.check_multimem_tile(tile_of(self.tile))
        views_rules.check_multicast(self.view)
        views_rules.check_inbounds(self.inbounds, self.index)
        cuda_tile_memory_rules.check_store_ordering(self.memory_ordering_semantics, self.memory_scope)


VIEW_ACCESSES = (
    LoadViewTkoOp,
    StoreViewTkoOp,
    AtomicRedViewTkoOp,
    MultimemLoadReduceViewTkoOp,
    MultimemReduceViewTkoOp,
    MultimemStoreViewTkoOp,
)
"""The operations that access one tile of a view."""
ViewAccess = (
    LoadViewTkoOp
    | StoreViewTkoOp
    | AtomicRedViewTkoOp
    | MultimemLoadReduceViewTkoOp
    | MultimemReduceViewTkoOp
    | MultimemStoreViewTkoOp
)

OPERATIONS = (
    LoadPtrTkoOp,
    StorePtrTkoOp,
    LoadViewTkoOp,
    StoreViewTkoOp,
    AtomicCASTkoOp,
    AtomicRMWTkoOp,
    AtomicRedViewTkoOp,
    AllocaOp,
    MakeTokenOp,
    JoinTokensOp,
    GdcLaunchDependentsTkoOp,
    GdcWaitTkoOp,
    MemoryFenceAliasTkoOp,
    MultimemLoadReduceViewTkoOp,
    MultimemReduceViewTkoOp,
    MultimemStoreViewTkoOp,
)
