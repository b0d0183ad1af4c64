"""The form of an instruction, found by its modifiers and then by the kinds of its operands."""

from __future__ import annotations

import difflib

from tilewright.ptx import codes, model
from tilewright.ptx.cursor import ParsingProblem, WordCursor
from tilewright.ptx.table.instructions import by_name, heads, lookup
from tilewright.ptx.table.notation import InstructionForm, OperandForm

CALL = "call"
"""The instruction with a variable number of operands."""
SYNC = "sync"
_NEEDS = {"policy": "hint", "mask": "multicast"}
"""Operands that require a modifier, with the slot of the modifier."""


def instruction(
    cursor: WordCursor,
    words: list[str],
    operands: list[model.Operand],
    guard: model.InstructionGuard | None,
    place: model.LineColumn,
) -> model.PtxInstruction:
    """Return the instruction whose name and modifiers are `words`, in the first form that the operands fit.
    ``guard`` and ``place`` are stored in it.

    Raises `ParsingProblem` if there is no such instruction, no form with these modifiers, or no form that the
    operands fit.
    """
    candidates = lookup(tuple(words)) or lookup(_with_sync_first(words))
    if not candidates:
        raise _unknown(cursor, words, place)
    for form, chosen in candidates:
        assigned = assign(form, chosen, operands)
        if assigned is not None:
            return model.PtxInstruction(form, tuple(chosen.items()), assigned, guard, place=place)
    forms = [form.syntax() for form, _ in candidates]
    raise cursor.fail(
        f"the operands do not fit '{'.'.join(words)}'",
        code=codes.BAD_OPERANDS,
        hint="write " + " or ".join(forms[:3]),
        place=place,
    )


def _with_sync_first(words: list[str]) -> tuple[str, ...]:
    """Return the words of an instruction with `.sync` as its first modifier, unchanged if it is not a later
    one: assemblers take `vote.ballot.sync`, which libraries of NVIDIA write, for `vote.sync.ballot`.
    """
    rest = [word for word in words[1:] if word != SYNC]
    return (words[0], SYNC, *rest) if SYNC in words[2:] else tuple(words)


def _unknown(cursor: WordCursor, words: list[str], place: model.LineColumn) -> ParsingProblem:
    spelt, head = ".".join(words), words[0]
    if head not in heads():
        close = difflib.get_close_matches(head, heads(), n=1)
        hint = f"did you mean '{close[0]}'?" if close else ""
        return cursor.fail(
            f"there is no instruction '{head}'", code=codes.UNKNOWN_INSTRUCTION, hint=hint, place=place
        )
    longest = max(
        (name for name in by_name() if spelt == name or spelt.startswith(f"{name}.")), key=len, default=""
    )
    known = by_name().get(longest) or heads()[head]
    stray = [word for word in words[longest.count(".") + 1 :] if not _taken(known, word)] if longest else []
    reason = f": no form has '.{stray[0]}'" if stray else ""
    return cursor.fail(
        f"'{longest or head}' has no form '{spelt}'{reason}",
        code=codes.UNKNOWN_FORM,
        hint="forms: " + " ".join(form.syntax() for form in known[:3]),
        place=place,
    )


def _taken(forms: tuple[InstructionForm, ...], word: str) -> bool:
    return any(word in slot.choices for form in forms for slot in form.slots)


def assign(
    form: InstructionForm, chosen: dict[str, str], operands: list[model.Operand]
) -> tuple[model.Operand | None, ...] | None:
    """Return one operand for each operand place of a form, `None` for a place that is left out; `None` if the
    operands do not fit. ``chosen`` maps slots of modifiers to the modifiers of the instruction. The operands
    of a call are returned as they are.
    """
    if form.name == CALL:
        return tuple(operands) if operands else None
    if not any(one.count for one in form.operands):
        operands = [_plain(operand) for operand in operands]
    present = [one for one in form.operands if not _absent(form, chosen, one)]
    found = _assigned(tuple(present), operands)
    if found is None:
        return None
    by_place = dict(zip((one.name for one in present), found, strict=True))
    return tuple(by_place.get(one.name) for one in form.operands)


def _plain(operand: model.Operand) -> model.Operand:
    """Return the element of a vector of a single element; other operands are returned unchanged."""
    if isinstance(operand, model.Vector) and len(operand.elements) == 1:
        return operand.elements[0]
    return operand


def _absent(form: InstructionForm, chosen: dict[str, str], operand: OperandForm) -> bool:
    """Return whether an operand must be left out, since the modifier that requires it (`_NEEDS`) is optional
    in the form and not in `chosen`.
    """
    slot = _NEEDS.get(operand.name, "")
    return operand.optional and any(one.name == slot for one in form.slots) and slot not in chosen


def _assigned(
    places: tuple[OperandForm, ...], operands: list[model.Operand]
) -> list[model.Operand | None] | None:
    if not places:
        return None if operands else []
    first, rest = places[0], places[1:]
    if operands and is_of(operands[0], first):
        found = _assigned(rest, operands[1:])
        if found is not None:
            return [operands[0], *found]
    if first.optional:
        found = _assigned(rest, operands)
        return None if found is None else [None, *found]
    return None


def is_of(operand: model.Operand, place: OperandForm) -> bool:
    """Return whether an operand is of the kind that a form requires at `place`."""
    match place.sort:
        case "address" | "tensor":
            return isinstance(operand, model.Address) and (operand.coordinates is not None) == (
                place.sort == "tensor"
            )
        case "constant":
            return isinstance(operand, model.IntegerConstant)
        case "name":
            return isinstance(operand, model.Name | model.OperandGroup)
        case _:
            return _is_value(operand, place)


def _is_value(operand: model.Operand, place: OperandForm) -> bool:
    if place.count:
        return isinstance(operand, model.Vector) or (
            isinstance(operand, model.Name) and place.count != "pieces"
        )
    if place.written:
        is_name = isinstance(operand, model.Name) and not operand.offset
        return is_name or (isinstance(operand, model.Pair) and bool(place.second))
    if isinstance(operand, model.Not):
        return place.negatable
    return isinstance(operand, model.Name | model.IntegerConstant | model.Float)
