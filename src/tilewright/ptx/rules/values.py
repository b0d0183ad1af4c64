"""Rules of operands other than registers: constants, special registers, and addresses."""

from __future__ import annotations

from collections.abc import Container, Iterator

from tilewright.ptx import expressions, model
from tilewright.ptx.scopes import ScopeNames, SpecialRegister
from tilewright.ptx.table.choices import EXACT_SIZES, rows_of
from tilewright.ptx.table.notation import OperandForm
from tilewright.ptx.table.targets import Version
from tilewright.ptx.value_types import ScalarType, ValueKind

RANGES: dict[tuple[str, str], tuple[Container[int], str]] = {
    **{(name, "id"): (range(16), "a number from 0 to 15") for name in ("bar", "barrier")},
    **{(name, "count"): (range(32, 1 << 16, 32), "a multiple of 32") for name in ("bar", "barrier")},
    ("cp.async", "size"): ((4, 8, 16), "4, 8 or 16"),
    ("setmaxnreg", "count"): (range(24, 257, 8), "a multiple of 8 from 24 to 256"),
    **{("wgmma.mma_async.sync.aligned", name): ((1, -1), "1 or -1") for name in ("na", "nb")},
    **{("wgmma.mma_async.sync.aligned", name): ((0, 1), "0 or 1") for name in ("ta", "tb")},
}
"""The allowed values of constants, by instruction and operand, with their description."""
READABLE = frozenset({"mov", "cvt"})
"""The instructions that can read special registers."""
WORDS = {
    ("cp.async", "cg"): ((16,), "16"),
}


def constant(
    one: model.PtxInstruction, operand: model.Operand, place: OperandForm, wanted: ScalarType | None
) -> Iterator[str]:
    """Yield a message for each rule that a constant `operand` of the instruction `one` breaks: a range of the
    operand `place`, and the type `wanted` (None: any). Other operands are not checked.
    """
    if isinstance(operand, model.IntegerConstant):
        allowed, words = RANGES.get((one.form.name, place.name), (None, ""))
        if place.name == "size":
            allowed, words = WORDS.get((one.form.name, one.modifier("cop")), (allowed, words))
        if allowed is not None and expressions.signed(operand) not in allowed:
            yield f"'{place.name}' of '{one.spelling}' is {words}, not {expressions.signed(operand)}"
    if (
        isinstance(operand, model.IntegerConstant | model.Float)
        and wanted is not None
        and not fits_constant(operand, wanted)
    ):
        kind = (
            "an integer" if isinstance(operand, model.IntegerConstant) else f"a float of {operand.width} bits"
        )
        yield f"{kind} is given, but .{wanted.name} is expected"


def fits_constant(operand: model.IntegerConstant | model.Float, wanted: ScalarType) -> bool:
    """Return whether a constant may have the type `wanted`: integers have bit types, integer types and
    predicates; floats have float types from 32 bits on, and bit types of their own width.
    """
    if isinstance(operand, model.IntegerConstant):
        return wanted.kind in (ValueKind.BITS, ValueKind.UNSIGNED, ValueKind.SIGNED, ValueKind.PREDICATE)
    if wanted.kind is ValueKind.FLOAT:
        return wanted.bits >= 32
    return wanted.kind is ValueKind.BITS and wanted.bits == operand.width


def special(
    one: model.PtxInstruction, meaning: SpecialRegister, place: OperandForm | None, wanted: ScalarType | None
) -> Iterator[str]:
    """Yield a message if the instruction `one` writes the special register `meaning`, or cannot read it, or
    reads it as another type than `wanted` (None: any). `place` is the operand.
    """
    name = meaning.name
    if place is not None and place.written:
        yield f"'{name}' cannot be written"
    elif one.form.name not in READABLE:
        yield f"'{name}' is a special register; read it with 'mov' instead of '{one.form.name}'"
    elif wanted is not None and (wanted.kind is ValueKind.FLOAT or _loses(meaning.type.bits, wanted.bits)):
        yield f"'{name}' is of type .{meaning.type.name}, but .{wanted.name} is expected"


def _loses(bits: int, wanted: int) -> bool:
    return wanted < bits and (bits, wanted) != (32, 16)


def address(
    one: model.PtxInstruction, operand: model.Address, names: ScopeNames, parameters: Container[int]
) -> Iterator[str]:
    """Yield a message for a constant address outside of `.local`, for a variable in another state space than
    the instruction accesses, and for a store to a parameter of a kernel. ``parameters`` has the identities
    (`id`) of these.
    """
    if operand.base is None and one.modifier("space") != "local":
        yield "a constant address is allowed in the space .local only"
    meaning = names.find(operand.base.text) if isinstance(operand.base, model.Name) else None
    if not isinstance(meaning, model.PtxVariable) or meaning.space == "reg":
        return
    named = one.modifier("space").partition("::")[0]
    if named and named != meaning.space:
        yield f"'{meaning.name}' is in {meaning.space} memory, but '{one.spelling}' accesses {named} memory"
    if one.form.name == "st" and id(meaning) in parameters:
        yield f"'{meaning.name}' is a parameter of a kernel; parameters are constant"


_SECOND = {"lop3": "bool", "elect.sync": ""}
"""Instructions that must write a predicate as well if a form has the modifier of this slot; if the slot is
empty, always.
"""


def newer(one: model.PtxInstruction, sm: int, version: Version) -> Iterator[str]:
    """Yield a message for each requirement of the modifiers that `sm` or `version` does not meet."""
    for row in rows_of(one.form.name, one.modifiers):
        if not row.refusal and (sm < row.sm or version < row.ptx):
            yield f"'{one.spelling}' needs {f'sm_{row.sm} and ' * bool(row.sm)}PTX {row.ptx[0]}.{row.ptx[1]}"


def combinations(one: model.PtxInstruction) -> Iterator[str]:
    """Yield a message for each illegal combination of modifiers, for a missing policy or second destination
    that a modifier requires, and for a wrong size in bytes.
    """
    for row in rows_of(one.form.name, one.modifiers):
        if row.refusal:
            yield f"'{one.spelling}' {row.refusal}"
    given = dict(zip((place.name for place in one.form.operands), one.operands, strict=True))
    optional = [given[place.name] for place in one.form.operands if place.optional]
    if one.modifier("hint") and "policy" in given and all(operand is None for operand in optional):
        yield f"'{one.spelling}' takes a cache policy after its other operands"
    slot = _SECOND.get(one.form.name)
    if slot is not None and (not slot or one.modifier(slot)) and not isinstance(one.operands[0], model.Pair):
        yield f"'{one.spelling}' writes a predicate, too: write d|p"
    size = given.get("size")
    wanted = EXACT_SIZES.get(one.form.name)
    if wanted is not None and isinstance(size, model.IntegerConstant) and size.value != wanted:
        yield f"'{one.spelling}' takes {wanted} bytes, not {size.value}"
