"""The notation of rows of the table, and the forms that they are parsed to.

A form is a line of the ISA's syntax. Its modifiers are words in their order:

    ``rnd?``             an optional modifier with the choices of `VOCABULARY`
    ``type=u32|s32``     a modifier with its own choices
    ``sync``             a word that is written unchanged

Operands are written as follows:

    ``>d:type``          a destination of the type that the modifier ``type`` names
    ``>d:u32|p:pred``    a destination, with an optional second destination after a bar
    ``a:type``           a source: register, special register, constant, or the address of a variable
    ``!p:pred``          a predicate that may be negated
    ``a:type*vec``       a vector; the modifier ``vec`` is the number of elements (``*4``: four elements)
    ``[a]``              an address;  ``[a]{}`` has coordinates
    ``#n``               a constant
    ``@l``               a name: a label, a function, a list of targets

A trailing ``?`` marks an operand that may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.ptx.table.targets import FEATURES
from tilewright.ptx.value_types import TYPES

VOCABULARY: dict[str, tuple[str, ...]] = {
    "rnd": ("rn", "rz", "rm", "rp"),
    "irnd": ("rni", "rzi", "rmi", "rpi"),
    "mode": ("hi", "lo"),
    "bool": ("and", "or", "xor"),
    "space": (
        *("const", "global", "local", "param", "param::entry", "param::func"),
        *("shared", "shared::cta", "shared::cluster"),
    ),
    "shared": ("shared", "shared::cta", "shared::cluster"),
    "cta_shared": ("shared", "shared::cta"),
    "vec": ("v2", "v4", "v8"),
    "scope": ("cta", "cluster", "gpu", "sys"),
    "l1": ("L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"),
    "l2": ("L2::evict_normal", "L2::evict_first", "L2::evict_last"),
    "hint": ("L2::cache_hint",),
    "prefetch": ("L2::64B", "L2::128B", "L2::256B"),
    "cg": ("cta_group::1", "cta_group::2"),
    "dim": ("1d", "2d", "3d", "4d", "5d"),
}
"""Modifiers of many forms, by the name that rows use; other words without choices are literal."""


@dataclass(frozen=True, slots=True)
class ModifierSlot:
    """A modifier of a form: its name in rules, its choices, and whether it is `optional`: may be left out."""

    name: str
    choices: tuple[str, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class OperandForm:
    """An operand of a form; `sort` is ``register``, ``address``, ``tensor``, ``constant`` or ``name``.

    `type` is a modifier's slot or a type. `count` is empty for a single register; for a vector it is the slot
    or the number of its elements, ``any`` if a rule computes it, or ``pieces`` for the parts of a word.
    `written` marks a destination, and `second` is the name of its optional predicate. `negatable` allows
    ``!p``.
    """

    name: str
    sort: str
    """The kind: ``register``, ``address``, ``tensor``, ``constant`` or ``name``."""
    type: str = ""
    written: bool = False
    negatable: bool = False
    count: str = ""
    second: str = ""
    optional: bool = False


@dataclass(frozen=True, eq=False)
class InstructionForm:
    """A form of an instruction: its name, and its modifiers (``slots``) and operands in order. `sm` and `ptx`
    are the minimum architecture and version, and `section` is the section of the ISA. If ``wider``, registers
    may be wider than the type. ``only`` is the row of `targets.FEATURES` with the targets that have the form;
    empty for all targets from `sm` on.

    There is a single object for each row of the table; forms are compared by identity.
    """

    name: str
    slots: tuple[ModifierSlot, ...]
    operands: tuple[OperandForm, ...]
    section: str
    sm: int = 0
    ptx: tuple[int, int] = (1, 0)
    wider: bool = False
    """True if registers may be wider than the type."""
    only: str = ""
    """The row of `targets.FEATURES` with the targets that have the form; empty for all targets from `sm`."""

    def syntax(self) -> str:
        """Return the syntax of the form as the ISA writes it, with optional modifiers and operands in braces,
        and a semicolon at the end.
        """
        words = [f"{{{_shown(slot)}}}" if slot.optional else _shown(slot) for slot in self.slots]
        operands = ", ".join(
            f"{{{_operand(one)}}}" if one.optional else _operand(one) for one in self.operands
        )
        return f"{self.name}{''.join(words)} {operands}".rstrip() + ";"

    def match(self, modifiers: Sequence[str]) -> dict[str, str] | None:
        """Return the modifiers by slot name, or `None` if they do not match the form.

        The order of the ISA is tried first; most modifiers are accepted in any order, as other assemblers do.
        """
        return _ordered(self.slots, tuple(modifiers)) or _any_order(self.slots, list(modifiers))

    def spelt(self, chosen: Mapping[str, str]) -> str:
        """Return the instruction's name with the modifiers `chosen`, which are keyed by slot name, in the
        order of the ISA: ``ld.global.b32``.
        """
        return ".".join((self.name, *(chosen[slot.name] for slot in self.slots if slot.name in chosen)))


def _shown(slot: ModifierSlot) -> str:
    return "." + slot.choices[0] if len(slot.choices) == 1 else f".{slot.name}"


def _operand(operand: OperandForm) -> str:
    name = f"{operand.name}|{operand.second}" if operand.second else operand.name
    if operand.sort == "address":
        return f"[{name}]"
    if operand.sort == "tensor":
        return f"[{name}, {{...}}]"
    return f"{{{name}...}}" if operand.count else name


def _ordered(slots: tuple[ModifierSlot, ...], modifiers: tuple[str, ...]) -> dict[str, str] | None:
    if not slots:
        return None if modifiers else {}
    first, rest = slots[0], slots[1:]
    if modifiers and modifiers[0] in first.choices:
        found = _ordered(rest, modifiers[1:])
        if found is not None:
            return {first.name: modifiers[0], **found}
    return _ordered(rest, modifiers) if first.optional else None


def _any_order(slots: tuple[ModifierSlot, ...], modifiers: list[str]) -> dict[str, str] | None:
    found: dict[str, str] = {}
    left = list(enumerate(modifiers))
    places: dict[int, int] = {}
    for slot in slots:
        at = next((at for at, (_, word) in enumerate(left) if word in slot.choices), None)
        if at is not None:
            place, found[slot.name] = left.pop(at)
            group = _GROUPS.get(found[slot.name], 0)
            if group and place < places.get(group, -1):
                return None
            places[group] = place
        elif not slot.optional:
            return None
    return None if left else found


_KINDS = ({word.partition("::")[0] for word in VOCABULARY["space"]}, {"row", "col"}, TYPES)
_GROUPS = {word: number for number, words in enumerate(_KINDS, 1) for word in words}
"""For each word whose order among its kind is significant, the number of its kind: state spaces (target and
source), ``row`` and ``col`` (left and right factor), or types.
"""


_SLOT = re.compile(r"([\w:]+)(?:=([\w:|]+))?(\?)?")
_OPERAND = re.compile(r"(>)?(!)?([@#])?(\[)?(\w+)\]?(\{\})?(?::(\w+))?(?:\*(\w+))?(?:\|(\w+):pred)?(\?)?")


def _slot(word: str) -> ModifierSlot:
    match = _SLOT.fullmatch(word)
    assert match, word
    name, choices, optional = match.groups()
    known = VOCABULARY.get(name, (name,))
    return ModifierSlot(name, tuple(choices.split("|")) if choices else known, bool(optional))


def _operand_form(word: str) -> OperandForm:
    match = _OPERAND.fullmatch(word)
    assert match, word
    written, negatable, sigil, bracket, name, tensor, type_, count, second, optional = match.groups()
    sort = {"@": "name", "#": "constant"}.get(
        sigil or "", "tensor" if tensor else "address" if bracket else "register"
    )
    return OperandForm(
        name, sort, type_ or "", bool(written), bool(negatable), count or "", second or "", bool(optional)
    )


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the ISA: its section and title. Its methods make the forms of its instructions from rows
    of text. `only` is the default of the field `only` of these forms.
    """

    section: str
    title: str
    only: str = ""

    def form(
        self,
        name: str,
        modifiers: str,
        operands: str = "",
        *,
        sm: int = 0,
        ptx: str = "1.0",
        wider: bool = False,
        only: str = "",
    ) -> InstructionForm:
        """Return the form of the instruction `name`, with `modifiers` and `operands` in the notation of this
        module's docstring. `sm` and `ptx` are the minimum architecture and version; `wider` and `only` are
        fields of `InstructionForm`.
        """
        slots = tuple(map(_slot, modifiers.split()))
        assert len({slot.name for slot in slots}) == len(slots), (name, modifiers)
        forms = tuple(map(_operand_form, operands.split()))
        for one in forms:
            known = {slot.name for slot in slots} | TYPES.keys()
            assert not one.type or one.type in known, (name, operands, one.type)
        major, _, minor = ptx.partition(".")
        only = only or self.only
        assert not only or only in FEATURES, only
        return InstructionForm(name, slots, forms, self.section, sm, (int(major), int(minor)), wider, only)

    def forms(
        self,
        names: str,
        modifiers: str,
        operands: str = "",
        *,
        sm: int = 0,
        ptx: str = "1.0",
        wider: bool = False,
        only: str = "",
    ) -> list[InstructionForm]:
        """Return a form for each name in `names`, which are separated by blanks; the other parameters are the
        same as for `form`.
        """
        return [
            self.form(name, modifiers, operands, sm=sm, ptx=ptx, wider=wider, only=only)
            for name in names.split()
        ]
