"""The number of registers in an instruction's vectors: by a modifier, by the bytes of a whole, or by a
matrix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tilewright.ptx import scopes, value_types
from tilewright.ptx.model import Name, Operand, PtxInstruction, Vector
from tilewright.ptx.table.notation import OperandForm

WIDEST = (((100, (8, 8)), 256), ((0, (1, 0)), 128))
"""The maximum number of bits of a load or store, by the minimum architecture and version."""
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_LANES = {"wgmma.mma_async.sync.aligned": 128}
_TENSOR = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}
"""The number of registers of a load or store of tensor memory with `.x1`."""
_ROWS = {"m8n8": 1, "m16n16": 2, "m8n16": 1, "m16n8": 1}
"""The number of registers of a matrix of `ldmatrix` and `stmatrix`."""


def counts(one: PtxInstruction, names: scopes.ScopeNames) -> Iterator[str]:
    """Yield a message for each vector operand whose number of registers is not the number that the form
    requires, and for each vector of pieces whose registers do not have equal widths, or are not as wide
    together as the whole. `names` are the names visible at the instruction.
    """
    for operand, place in zip(one.operands, one.form.operands, strict=True):
        if operand is None or not place.count:
            continue
        if place.count == "pieces":
            yield from _pieces(one, operand, names)
            continue
        wanted = _wanted(one, place)
        found = width(operand, names)
        if wanted is not None and found is not None and found != wanted:
            yield f"'{place.name}' of '{one.spelling}' has {found} register{'s' * (found != 1)}; it takes {wanted}"


def width(operand: Operand, names: scopes.ScopeNames) -> int | None:
    """Return the number of registers of an operand: the elements of a vector, or the components of a
    register. None for an operand that is no declared register.
    """
    if isinstance(operand, Vector):
        return len(operand.elements)
    meaning = names.find(operand.text) if isinstance(operand, Name) else None
    if isinstance(meaning, scopes.Register):
        return meaning.vector if meaning.vector and isinstance(operand, Name) and not operand.component else 1
    return None


def too_wide(one: PtxInstruction, sm: int, version: tuple[int, int]) -> Iterator[str]:
    """Yield a message if a vector load or store moves more bits in a thread than the architecture `sm` and
    the PTX version allow.
    """
    if not one.modifier("vec") or one.form.name not in ("ld", "ldu", "st"):
        return
    bits = int(one.modifier("vec")[1:]) * value_types.TYPES[one.modifier("type")].bits
    most = next(most for (least, since), most in WIDEST if sm >= least and version >= since)
    if bits > most:
        yield f"'{one.spelling}' moves {bits} bits; the target moves at most {most}"


def _pieces(one: PtxInstruction, operand: Operand, names: scopes.ScopeNames) -> Iterator[str]:
    if not isinstance(operand, Vector):
        return
    kinds = [
        names.find(item.text) for item in operand.elements if isinstance(item, Name) and item.text != "_"
    ]
    widths = {kind.type.bits for kind in kinds if isinstance(kind, scopes.Register)}
    whole, count = value_types.TYPES[one.modifier("type")].bits, len(operand.elements)
    if len(widths) == 1 and widths != {whole / count}:
        yield f"{count} registers of {widths.pop()} bits are not {whole} bits"
    elif len(widths) > 1 or count not in (2, 4):
        yield f"a word has two or four pieces of equal width, not {count}"


def _wanted(one: PtxInstruction, place: OperandForm) -> int | None:
    if place.count == "vec":
        return int(one.modifier("vec")[1:] or 1)
    if place.count.isdigit():
        return int(place.count)
    rule = _RULES.get(one.form.name)
    return None if rule is None else rule(one, place.name)


def _product(one: PtxInstruction, name: str) -> int | None:
    """Return the number of registers of the fragment `name` of `mma` or `wgmma`: a, b, c or d. `None` for
    other operands.
    """
    if name not in ("a", "b", "c", "d"):
        return None
    found = _SHAPE.fullmatch(one.modifier("shape"))
    assert found is not None
    m, n, k = map(int, found.groups())
    rows, columns = {"a": (m, k), "b": (k, n)}.get(name, (m, n))
    kind = one.modifier(f"{name}type") or one.modifier("dtype")
    if one.form.name.startswith("mma.sp") and name == "a":
        columns //= 2
    repeated = 4 if kind != "f64" and (m, n, k) == (8, 8, 4) else 1
    elements = rows * columns * repeated // _LANES.get(one.form.name, 32)
    return elements if kind == "f64" else max(elements * _bits(one, kind) // 32, 1)


def _bits(one: PtxInstruction, kind: str) -> int:
    """Return the width of an element of type `kind` in registers, in bits: with the 8-bit kinds of `mma`,
    narrower elements take a byte.
    """
    takes_bytes = one.modifier("kind") in ("kind::f8f6f4", "kind::mxf8f6f4")
    return 8 if takes_bytes and value_types.TYPES[kind].bits < 8 else value_types.TYPES[kind].bits


def _matrices(one: PtxInstruction, name: str) -> int:
    return _ROWS[one.modifier("shape")] * int(one.modifier("num")[1:])


def _tensor(one: PtxInstruction, name: str) -> int:
    return _TENSOR[one.modifier("shape")] * int(one.modifier("num")[1:])


def _fragment(one: PtxInstruction, name: str) -> int | None:
    """Return the number of registers of a fragment of `wmma`, never None: of the matrix that a load or store
    names in its modifiers, else of the operand `name` (``a``, ``b``, ``c`` or ``d``) of a product.
    """
    found = _SHAPE.fullmatch(one.modifier("shape"))
    assert found is not None
    m, n, k = map(int, found.groups())
    matrix = one.modifier("matrix") or name
    kind = one.modifier("type") or one.modifier(f"{name}type") or "f16"
    if kind == "f16" and matrix in "ab":
        return 8
    rows, columns = {"a": (m, k), "b": (k, n)}.get(matrix, (m, n))
    elements = rows * columns // 32
    return elements if kind == "f64" else max(elements * value_types.TYPES[kind].bits // 32, 1)


_RULES: dict[str, Callable[[PtxInstruction, str], int | None]] = {
    **dict.fromkeys(("mma.sync.aligned", "mma.sp", "mma.sp::ordered_metadata"), _product),
    "wgmma.mma_async.sync.aligned": _product,
    **dict.fromkeys(("ldmatrix.sync.aligned", "stmatrix.sync.aligned"), _matrices),
    **dict.fromkeys(("tcgen05.ld.sync.aligned", "tcgen05.st.sync.aligned"), _tensor),
    **dict.fromkeys(("wmma.load", "wmma.store", "wmma.mma"), _fragment),
}
"""The rules of instructions with vectors that depend on a shape."""
