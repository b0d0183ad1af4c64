"""The input of rules of elementwise operations, and queries on an operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.dialects.arith.ops_float import NegFOp
from tilewright.dialects.common.constraints import FLOAT_LIKE
from tilewright.dialects.llvm.intrinsics.integer import UMinOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.math.dialect import AbsFOp, CopySignOp
from tilewright.dialects.nv_tileaa.attributes import RoundingMode
from tilewright.dialects.nv_tileaa.constraints import FLOAT_LIKE as TILES_OF_FLOATS
from tilewright.dialects.nv_tileaa.ops.structure import ExtractOp, SplatOp
from tilewright.dialects.nv_tileas import ops_arith as tileas_arith, ops_tile as tileas_tile
from tilewright.dialects.nv_tileas.ops_memory import ScatterStoreOp, StoreOp, TiledStoreOp
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import UNIT, DenseElementsAttr, FloatAttr, IntegerAttr, dense
from tilewright.ir.builtin_types import FloatType, RankedTensorType, i1, i8
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS, is_packed
from tilewright.targets.elements.element_types import element_of, memory_type, register_type
from tilewright.targets.elements.expression import Expression
from tilewright.targets.llvm.code import Index, LlvmBuilder

if TYPE_CHECKING:
    from tilewright.targets.elements.math.polynomial import Formula
    from tilewright.targets.elements.run_time_library import NativeInstructions

MODE_NAMES: dict[str, str] = {
    **{mode.name: mode.name.lower() for mode in RoundingMode},
    "TO_NEAREST_EVEN": "nearest_even",
    "DOWNWARD": "negative_inf",
    "UPWARD": "positive_inf",
    "TOWARD_ZERO": "zero",
    "TO_NEAREST_AWAY": "nearest_away",
}
"""Rounding modes of `nv_tileaa` and `arith`, by the names of Tile IR."""
BOUNDED = frozenset({"approx", "full"})
"""Rounding modes that bound the error only; the nearest number is within the bounds."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """The input of a rule: the insertion point, the operation, its operands on lanes (vectors of `lanes`
    elements, or scalars if `lanes` is 1), and the type of the result on lanes. ``native`` are the
    instructions of the target, which may replace formulas; None: formulas only.
    """

    code: LlvmBuilder
    op: Any
    operands: Sequence[Value]
    type: Type
    lanes: int
    native: NativeInstructions | None = None
    """The instructions of the target, which may replace a formula in f32."""

    def computes(self, operation: str, element: FloatType) -> bool:
        """Return whether the target has an instruction for `operation`, a name such as ``fma``, in `element`,
        a format below 32 bits.
        """
        return self.native is not None and operation in self.native.arithmetic.get(element, ())

    def narrow_function(self, name: str) -> Formula | None:
        """Return the target's formula for the elementary function or operation `name` in the format of the
        result, or `None` if the target has none.
        """
        return None if self.native is None else self.native.narrow_functions.get((name, self.target()))

    def native_formula(self, name: str) -> Formula | None:
        """Return the target's formula for the operation `name`, with the rounding mode and flushing of this
        operation.

        Its name in the table is, for example, ``div.approx.ftz``. Return `None` if the target has none.
        """
        mode = self.mode()
        words = (name, *([mode] if mode in BOUNDED else []), *(["ftz"] if self.flag("flush_to_zero") else []))
        return self.narrow_function(".".join(words))

    def shows_nan(self) -> bool:
        """Return whether the bits of a NaN in the result are observable. Stores of the result count only if
        its format is not in the builder's ``one_nan``.
        """
        return shows_nan(self.op.results[0], stored=self.target() not in self.code.one_nan)

    def expressions(self) -> list[Expression]:
        """Return the operands as expressions. A float that registers hold as bits has its format as element
        type.
        """
        given = [element_of(operand.type) for operand in self.op.operands]
        formats = (
            element
            if isinstance(element, FloatType) and not isinstance(register_type(element), FloatType)
            else None
            for element in given
        )
        pairs = zip(self.operands, formats, strict=False)
        return [Expression(self.code, operand, element) for operand, element in pairs]

    def source(self) -> Any:
        """Return the element type of the first operand in the program."""
        return element_of(self.op.operands[0].type)

    def target(self) -> Any:
        """Return the element type of the result in the program."""
        return element_of(self.op.results[0].type)

    def mode(self) -> str:
        """Return the rounding mode by its name in Tile IR; to nearest if the operation has none."""
        return rounding_mode(self.op)

    def flag(self, name: str) -> bool:
        """Return whether the attribute `name` of the operation is set: a unit attribute, or an enum with a
        value not 0.
        """
        return has_flag(self.op, name)


def rounding_mode(op: Operation) -> str:
    """Return the rounding mode of an operation by its name in Tile IR; to nearest if it has none."""
    value = getattr(op, "rounding_mode", None) or getattr(op, "roundingmode", None)
    return MODE_NAMES[value.name] if isinstance(value, Enum) else "nearest_even"


def has_flag(op: Operation, name: str) -> bool:
    """Return whether the attribute `name` of `op` is set: a unit attribute, or an enum with a value not 0."""
    value = getattr(op, name, False)
    return bool(value.value if isinstance(value, Enum) else value)


Rule = Callable[[Lanes], Value]


def direct(target: type[Operation]) -> Rule:
    """Return the rule that emits the operation `target` of the dialect `llvm` with the operands as they are."""
    return lambda at: at.code(target, *at.operands, type=at.type)


def formula(body: Callable[..., Expression]) -> Rule:
    """Return the rule that calls `body` with the operands as expressions; its result is the operation's."""
    return lambda at: body(*at.expressions()).value


def is_pointer(type: Type) -> bool:
    """Return whether a type is a pointer type."""
    return isinstance(type, LLVMPointerType)


# --- observability of the bits of a NaN

AGGREGATES = frozenset({tileas_tile.ReduceOp, tileas_tile.ScanOp})
PASSING_ON = frozenset(
    {
        tileas_tile.ConvertLayoutOp,
        tileas_tile.ExpandDimsOp,
        tileas_tile.ViewOp,
        SplatOp,
        ExtractOp,
        tileas_tile.ExtractSliceOp,
    }
) | tileas_arith.of_both(NegFOp, AbsFOp)
"""Operations whose results are elements of their operands, up to signs: NaN bits pass through."""
STORES = frozenset({StoreOp, TiledStoreOp, ScatterStoreOp})
"""Operations that write elements of tiles to memory."""
SIGNS = tileas_arith.of_both(NegFOp, AbsFOp, CopySignOp)
"""Operations on floats that change at most the sign bit."""
COMBINING = frozenset({tileas_tile.DotOp, *AGGREGATES})
"""Operations that compute with floats, but accept tiles of any type."""
FLOATS = (FLOAT_LIKE, TILES_OF_FLOATS)
"""The operand constraints of operations that compute with floats."""


@cache
def is_blind(op: type[Operation]) -> bool:
    """Return whether an operation ignores the payload of NaN operands, so that its NaN results are canonical."""
    if op in COMBINING:
        return True
    return op not in SIGNS and any(field.constraint in FLOATS for field in op.op_kind.operands)


UNSEEN = "nv_tileas.nan_is_unseen"
"""The attribute of an operation whose users ignore NaN payloads, where the uses do not show this."""
BRANCHING = frozenset({scf.ForOp, scf.IfOp})
"""Operations that become blocks."""
YIELDED_TO = AGGREGATES | BRANCHING
"""Operations with known destinations of the values that their blocks yield."""
YIELDS = frozenset({tileas_tile.YieldOp, scf.YieldOp})


def shows_nan(value: Value, *, stored: bool) -> bool:
    """Return whether the bits of a NaN in a value are observable: they are read or moved, or, with `stored`,
    the value is stored. False if the operation that defines the value has the attribute `UNSEEN`.
    """
    owner = value.owner
    if isinstance(owner, Operation) and UNSEEN in owner.attributes:
        return False
    seen: set[Value] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for user in current.uses:
            if not stored and user.__class__ in STORES:
                continue
            following = _passed_on(user, current)
            if following is None:
                return True
            pending += following
    return False


def mark_unseen(root: Operation) -> None:
    """Mark the operations in loops and branches whose results have NaN payloads that nothing observes (`UNSEEN`). A
    conversion calls it first, as the uses no longer show it when a loop has become blocks before its body is converted.
    """
    for op in root.walk():
        floats = [one for one in op.results if isinstance(element_of(one.type), FloatType)]
        is_inside = floats and op.parent_op.__class__ in BRANCHING
        if is_inside and not any(shows_nan(one, stored=True) for one in floats):
            op.attributes[UNSEEN] = UNIT


def _passed_on(user: Operation, value: Value) -> Sequence[Value] | None:
    """Return the values to which an operation passes the bits of its operand `value`, empty if it ignores
    them; `None` if it observes them.
    """
    if user.__class__ in AGGREGATES:
        return _combined(user, [at for at, operand in enumerate(user.operands) if operand is value])
    if is_blind(user.__class__):
        return ()
    if user.__class__ in PASSING_ON:
        return user.results
    return _yielded(user, value) if user.__class__ in YIELDS else None


def _yielded(user: Operation, value: Value) -> Sequence[Value] | None:
    """Return the destinations of a yielded value: arguments of the next combination, of the next iteration of
    a `for` loop, and results. `None` if they are not known.
    """
    parent = user.parent_op
    if parent is None or parent.__class__ not in YIELDED_TO:
        return None
    places = [at for at, operand in enumerate(user.operands) if operand is value]
    if parent.__class__ in AGGREGATES:
        return _combined(parent, places)
    found: list[Value] = [parent.results[at] for at in places]
    if type(parent) is scf.ForOp:
        found += [parent.regions[0].blocks[0].arguments[at + 1] for at in places]
    return found


def _combined(op: Operation, places: Sequence[int]) -> list[Value]:
    """Return the block arguments of a reduction or scan that receive the operands at the positions `places`.

    There are two for each operand: the left and the right element of the combination.
    """
    arguments = op.regions[0].blocks[0].arguments
    return [arguments[at + start] for at in places for start in (0, len(op.results))]


def constant_value(code: LlvmBuilder, attribute: Attribute, element: Type) -> Value:
    """Return the number in `attribute`, an integer or float attribute, as a scalar constant of the register
    type of `element`.
    """
    held = register_type(element)
    if isinstance(attribute, FloatAttr) and isinstance(element, FloatType) and held is not element:
        return _converted(code, attribute.bits, element, held)
    if isinstance(attribute, IntegerAttr):
        return code.constant(IntegerAttr(held, attribute.value), held)
    return code.constant(attribute, held)


def _converted(code: LlvmBuilder, bits: int, element: FloatType, held: Type) -> Value:
    if isinstance(held, FloatType):  # tf32 is an f32 with zero low bits
        return code.constant(FloatAttr(held, bits << held.width - element.width), held)
    return code.constant(IntegerAttr(held, bits), held)


def in_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Return constant elements in memory representation: an i1 takes a byte; floats that LLVM lacks are bits
    or wider floats.
    """
    element = attribute.element_type
    held = memory_type(element)
    if held is element:
        return attribute
    patterns = attribute.patterns()
    values = patterns if len(patterns) == attribute.count else patterns * attribute.count
    shaped = RankedTensorType(attribute.shape, held)
    if isinstance(held, FloatType):
        assert isinstance(element, FloatType), "a register of a float type needs a float element"
        shift = held.width - element.width  # tf32 is an f32 with zero low bits
        return DenseElementsAttr(shaped, b"".join((bits << shift).to_bytes(4, "little") for bits in values))
    return dense(shaped, [bits & 1 for bits in values] if element is i1 else values)


def in_program_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Return the elements of a global as they are in the program's memory: an i1 takes a byte, and floats
    that LLVM lacks are bits or wider floats. Two packed elements share a byte; their number must be even.
    """
    if not is_packed(attribute.element_type):
        return in_memory(attribute)
    patterns = attribute.patterns()
    bits = patterns if len(patterns) == attribute.count else patterns * attribute.count
    pairs = zip(bits[::2], bits[1::2], strict=True)
    return dense(
        RankedTensorType((attribute.count // 2,), i8), [low | high << PACKED_BITS for low, high in pairs]
    )


def slice_start(code: LlvmBuilder, offset: Value, size: int, extent: int) -> Index:
    """Return the first coordinate of a part that has `size` elements in a dimension of `extent` elements, a
    power of two, from its `offset` in elements. An offset that leads out of the tile, which is undefined, is
    moved inside; 0 if the part has the whole extent.
    """
    start = known_index(code, offset)
    if size == extent:
        return 0
    if isinstance(start, int):
        return min(start & (extent - 1), extent - size)
    wrapped = code(llvm.AndOp, start, code.integer(extent - 1))
    return code(UMinOp, wrapped, code.integer(extent - size))


def known_index(code: LlvmBuilder, value: Value) -> Index:
    """Return the integer scalar `value` as an index: a Python number if it is a constant, else a value of 64
    bits, sign-extended.
    """
    owner = value.owner
    if isinstance(owner, llvm_aggregate.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value
    return code.index(value)
