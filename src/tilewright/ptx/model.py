"""The model of PTX text: a module of functions and variables, with bodies of instructions and scopes.

All objects are immutable. Two models are equal if their meaning is equal; places, comments and the spelling
of numbers are not compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from tilewright.ptx.table.notation import InstructionForm


class LineColumn(NamedTuple):
    """Line and column of a token, both from 1; 0 if they are unknown."""

    line: int = 0
    column: int = 0


NOWHERE = LineColumn()


# --- operands


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a register, variable, label or function, or the sink ``_``, as `text`; ``component`` is
    ``x`` in ``%tid.x``, otherwise empty.

    ``offset`` is a distance in bytes from the address of a variable, as in ``table+8``.
    """

    text: str
    component: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    """An integer constant of 64 bits, as an unsigned number; ``unsigned`` if it has the suffix ``U`` or does
    not fit 64 bits as a signed number.
    """

    value: int
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Float:
    """A floating-point constant by its bits; `width` is 32 (``0f``) or 64."""

    bits: int
    width: int


@dataclass(frozen=True, slots=True)
class Address:
    """``[base + offset]``, or ``[base, {coordinates}]`` of a tensor map. ``base`` is None for a constant
    address; ``offset`` is in bytes.
    """

    base: Name | None
    offset: int = 0
    coordinates: tuple[Operand, ...] | None = None


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector operand: ``{a, b}``."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of destinations, as in ``d|p``: the second one is a predicate."""

    first: Name
    second: Name


@dataclass(frozen=True, slots=True)
class Not:
    """``!p``: a negated predicate."""

    operand: Name


@dataclass(frozen=True, slots=True)
class OperandGroup:
    """``(a, b)``: the arguments or results of a call."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class SymbolAddress:
    """The address of the variable or function `name` plus ``offset`` bytes, in an initialiser; ``generic`` if
    it is in the generic address space. ``mask`` picks one byte of it, as in ``0xff(x)``; None: the whole
    address.
    """

    name: str
    offset: int = 0
    generic: bool = False
    mask: int | None = None


Operand = Name | IntegerConstant | Float | Address | Vector | Pair | Not | OperandGroup
Initial = IntegerConstant | Float | SymbolAddress | tuple["Initial", ...]


# --- statements


@dataclass(frozen=True, slots=True)
class InstructionGuard:
    """The guard of an instruction, ``@p`` or (`negated`) ``@!p``: the threads in which the predicate `name`
    is true, or false, execute the instruction.
    """

    name: Name
    negated: bool = False


@dataclass(frozen=True, slots=True)
class PtxInstruction:
    """An instruction, of a `form` of the table, with its `guard` if it has one.

    `operands` correspond to the operands of the form; an operand that is left out is `None`. Calls have a
    variable number of operands.
    """

    form: InstructionForm
    modifiers: tuple[tuple[str, str], ...]
    """The chosen modifiers by slot name, in the order of the form."""
    operands: tuple[Operand | None, ...] = ()
    guard: InstructionGuard | None = None
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)

    def modifier(self, slot: str) -> str:
        """Return the modifier of a slot, or the empty string."""
        return next((word for name, word in self.modifiers if name == slot), "")

    @property
    def spelling(self) -> str:
        """Return the name with all modifiers, in the order of the form, without guard and operands:
        ``ld.global.b32``.
        """
        return _spelt(self.form, self.modifiers)


@lru_cache(maxsize=4096)
def _spelt(form: InstructionForm, modifiers: tuple[tuple[str, str], ...]) -> str:
    return form.spelt(dict(modifiers))


@dataclass(frozen=True, slots=True)
class Label:
    """The declaration of a label: ``name:``."""

    name: str
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class RegisterDeclaration:
    """``.reg .v2 .b32 %r<4>, %x;``: names, each with its number of registers, or `None` for one register of
    this name. ``type`` is written without its dot; ``vector`` is the number of components, 0 for scalars.
    """

    type: str
    names: tuple[tuple[str, int | None], ...]
    vector: int = 0
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class PtxVariable:
    """A variable or a parameter.

    `space`, `type` and `linkage` are written without their dots; `linkage` is empty if none is written.
    `dims` are the extents of an array, 0 for an open extent. `align` is in bytes, 0 if it is not given;
    `vector` is the number of components, 0 for scalars. `pointer` holds the attributes of a pointer parameter
    (``.ptr .global .align 16``). `initial` is the initialiser, a nested tuple for an array, and None if there
    is none; `attributes` are the words of ``.attribute(...)``.
    """

    space: str
    type: str
    name: str
    dims: tuple[int, ...] = ()
    align: int = 0
    vector: int = 0
    linkage: str = ""
    pointer: tuple[str, ...] = ()
    initial: Initial | None = None
    attributes: tuple[str, ...] = ()
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class PtxScope:
    """``{ ... }``: the scope of the names declared inside."""

    statements: tuple[Statement, ...]
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class LocDirective:
    """``.loc file line column``. For inlined code, ``function`` is the label of the function's name, and
    ``inlined`` the file, line and column of the call.
    """

    file: int
    line: int
    column: int
    function: str = ""
    inlined: tuple[int, int, int] | None = None
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Pragma:
    """A pragma: ``.pragma "nounroll";``."""

    texts: tuple[str, ...]
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class JumpTargets:
    """``label: .branchtargets a, b;``: the possible targets (``names``) of an indirect jump. With ``calls``
    it is ``.calltargets``: the possible targets of an indirect call.
    """

    label: str
    names: tuple[str, ...]
    calls: bool = False
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Prototype:
    """``label: .callprototype (returns) _ (parameters);``: the results and parameters of the functions that
    an indirect call may call. `directives` holds the name of each directive, without its dot, and its
    numbers.
    """

    label: str
    returns: tuple[PtxVariable, ...]
    parameters: tuple[PtxVariable, ...]
    directives: tuple[tuple[str, tuple[int, ...]], ...] = ()
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class File:
    """``.file number "name"``; ``stamp`` has the time and the size if they are given."""

    number: int
    name: str
    stamp: tuple[int, ...] = ()
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Section:
    """``.section .debug_info { ... }``: the name with its dot, and the tokens of the debugging data,
    unchanged (`words`).
    """

    name: str
    words: tuple[str, ...]
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Alias:
    """An alias: ``.alias name, target;``."""

    name: str
    target: str
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class PtxFunction:
    """A kernel (``entry``) or function; without a body it is a declaration. `returns` are the results of a
    function. `linkage` is written without its dot, and empty if there is none. `directives` holds the name of
    each directive, without its dot, and its numbers.
    """

    entry: bool
    name: str
    parameters: tuple[PtxVariable, ...] = ()
    returns: tuple[PtxVariable, ...] = ()
    linkage: str = ""
    directives: tuple[tuple[str, tuple[int, ...]], ...] = ()
    body: PtxScope | None = None
    place: LineColumn = field(default=NOWHERE, compare=False, kw_only=True)

    def directive(self, name: str) -> tuple[int, ...] | None:
        """Return the numbers of the directive `name`, such as ``maxntid``, or `None` if it is absent."""
        return next((numbers for word, numbers in self.directives if word == name), None)


Statement = (
    PtxInstruction
    | Label
    | RegisterDeclaration
    | PtxVariable
    | PtxScope
    | LocDirective
    | Pragma
    | JumpTargets
    | Prototype
    | File
    | Section
    | Alias
    | PtxFunction
)


@dataclass(frozen=True, slots=True)
class Module:
    """A file of PTX: its version (major, minor), which is (0, 0) if it is not set, the words of its target,
    the size of an address in bits, and its statements.
    """

    version: tuple[int, int]
    target: tuple[str, ...]
    address_size: int
    statements: tuple[Statement, ...]
    file_name: str = field(default="", compare=False)

    def functions(self) -> dict[str, PtxFunction]:
        """Return functions by name. A definition replaces a declaration; of several declarations the first
        counts.
        """
        found: dict[str, PtxFunction] = {}
        for statement in self.statements:
            if isinstance(statement, PtxFunction) and (
                statement.name not in found or statement.body is not None
            ):
                found[statement.name] = statement
        return found
