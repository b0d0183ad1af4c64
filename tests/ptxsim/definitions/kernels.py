"""All variants of a form in one kernel, on rows of edge values, and what differs from the definition.

``python -m tests.ptxsim.definitions.kernels COUNT`` compares so many results for each form, as many as one likes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tests.ptxsim.definitions import conversion, floating
from tests.ptxsim.definitions.answers import DEFINITIONS, Answer, Near
from tests.ptxsim.definitions.edges import COUNTS, edges, lanes_of, rows_of, width_of
from tests.ptxsim.definitions.integers import multiply_carrying
from tests.ptxsim.definitions.numbers import FORMATS, UNKNOWN, Format, as_float, decoded
from tilewright.ptx.table.instructions import FORMS
from tilewright.ptx.table.notation import InstructionForm, OperandForm
from tilewright.ptxsim import launch

HEAD = ".version 9.0\n.target sm_100a\n.address_size 64\n"
LEAST = 32
"""So many rows a variant has, at least."""
POSITIONS = {("shl", "b"), ("shr", "b"), ("bfe", "b"), ("bfe", "c"), ("bfi", "c"), ("bfi", "d")} | {
    *(("shf", "c"), ("bmsk", "a"), ("bmsk", "b"), ("szext", "b"), ("fns", "base"), ("fns", "offset"))
}
"""Operands that count bits."""
CARRYING = frozenset({"addc", "subc", "madc"})
Chosen = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Variant:
    """A form with one choice of modifiers."""

    form: InstructionForm
    chosen: Chosen

    @property
    def spelling(self) -> str:
        """As it is written."""
        return self.form.spelt(self.chosen)

    def type_of(self, operand: OperandForm) -> str:
        """The type of an operand; an element of a packed one where the form says bits."""
        found = self.chosen.get(operand.type, operand.type)
        packed = {"d": "dtype", "a": "atype"}.get(operand.name, "")
        name = self.chosen.get(packed, "")
        if self.form.name == "set" and operand.name == "d" and self.chosen["type"].endswith("x2"):
            return name if name.endswith("x2") else "u16x2"
        return found

    def sources(self) -> list[OperandForm]:
        """The operands that are read."""
        return [
            one
            for one in self.form.operands
            if not one.written and one.sort == "register" and not (one.optional and "ctype" in one.name)
        ]

    def target(self) -> OperandForm:
        """The operand that is written."""
        return next(one for one in self.form.operands if one.written)


def choices(form: InstructionForm) -> Iterator[dict[str, str]]:
    """Every choice of modifiers, and of the table of `lop3`."""
    options = [[*slot.choices, *([""] if slot.optional else [])] for slot in form.slots]
    tables = [str(at) for at in range(256)] if form.name == "lop3" else [""]
    for *words, table in product(*options, tables):
        names = (*(slot.name for slot in form.slots), "table")
        yield {name: word for name, word in zip(names, (*words, table), strict=True) if word}


def is_sound(form: InstructionForm, chosen: Chosen) -> bool:
    """Whether the ISA has this choice, where a row of the table is wider than the ISA."""
    name, type_name = form.name, chosen.get("type", "")
    if name == "cvt":
        return conversion.is_sound(chosen)
    if name == "lop3" and "bool" in chosen:
        return int(chosen["table"]) % 37 == 0
    if name in ("min", "max") and len(form.operands) == 3 and ("abs" in chosen) != ("xorsign" in chosen):
        return False
    if name in ("set", "setp") and not floating.is_float(type_name):
        order = chosen["cmp"]
        if type_name[0] == "b":
            return order in ("eq", "ne")
        return not (type_name[0] == "s" and order in ("lo", "ls", "hi", "hs"))
    if name in ("set", "setp", "slct") and type_name == "f64":
        return "ftz" not in chosen
    return name != "slct" or type_name == "f32" or "ftz" not in chosen


def variants(form: InstructionForm) -> list[Variant]:
    """All that a form has."""
    return [Variant(form, chosen) for chosen in choices(form) if is_sound(form, chosen)]


def groups(form: InstructionForm) -> list[tuple[tuple[str, ...], list[Variant]]]:
    """The variants of a form by the types of their operands, which are those of a launch."""
    found: dict[tuple[str, ...], list[Variant]] = {}
    for one in variants(form):
        found.setdefault(tuple(map(one.type_of, one.sources())), []).append(one)
    return list(found.items())


# --- text


def _body(one: Variant, names: Sequence[str]) -> str:
    """The instruction between a predicate's and a carry's way in and out."""
    sources = [
        f"%p{name}" if one.type_of(place) == "pred" else f"%{name}"
        for place, name in zip(one.sources(), names, strict=True)
    ]
    lines = [
        f"setp.ne.u32 %p{name}, %{name}, 0;"
        for place, name in zip(one.sources(), names, strict=True)
        if one.type_of(place) == "pred"
    ]
    target = one.target()
    pair = bool(target.second) and not (one.form.name == "lop3" and "bool" not in one.chosen)
    kind = one.type_of(target)
    written = "%o" if kind == "pred" else f"%r{width_of(kind)}"
    if pair:
        written = f"{written}|%s"
    if one.form.name == "lop3":
        sources.insert(3, one.chosen["table"])
    if one.form.name in CARRYING:
        lines.append(_carry_in(one))
    lines.append(f"{one.spelling} {', '.join((written, *sources))};")
    if kind == "pred":
        lines.append("selp.b64 %w, 1, 0, %o;")
        if pair:
            lines.append("selp.b64 %v, 2, 0, %s; or.b64 %w, %w, %v;")
    elif one.form.name == "lop3" and pair:
        lines.append("cvt.u64.u32 %w, %r32; selp.b64 %v, 4294967296, 0, %s; or.b64 %w, %w, %v;")
    return " ".join(lines)


def _carry_in(one: Variant) -> str:
    """Sets the carry, or what is borrowed, where the last bit of the first operand is set."""
    if one.form.name == "subc":
        return "and.b32 %n, %e, 1; sub.cc.u32 %n, 0, %n;"
    return "and.b32 %n, %e, 1; add.cc.u32 %n, %n, 4294967295;"


def text_of(group: Sequence[Variant], types: Sequence[str], names: Sequence[str], threads: int) -> str:
    """A kernel that writes the result of each variant in eight bytes, and its carry in eight more."""
    parameters = ", ".join(f".param .u64 in{at}" for at in range(len(types)))
    lines = [
        f"{HEAD}.entry k({parameters}, .param .u64 out)\n{{",
        ".reg .b8 %r8; .reg .b16 %r16; .reg .b32 %r32, %t, %n, %e; .reg .b64 %r64, %x, %w, %v; .reg .pred %pa, %pb, %pc, %pd, %o, %s;",
        "mov.u32 %t, %tid.x; mov.b32 %e, 0;",
    ]
    for at, (name, type_name) in enumerate(zip(names, types, strict=True)):
        bits = width_of(type_name)
        lines.append(f".reg .b{bits} %{name};")
        lines.append(
            f"ld.param.b64 %x, [in{at}]; mad.wide.u32 %x, %t, {bits // 8}, %x; ld.global.b{bits} %{name}, [%x];"
        )
    if group[0].form.name in CARRYING:
        lines.append(f"cvt.u32.u{width_of(types[0])} %e, %{names[0]}; shr.u32 %n, %e, 1; xor.b32 %e, %e, %n;")
    lines.append("ld.param.b64 %x, [out]; mad.wide.u32 %x, %t, 16, %x;")
    for at, one in enumerate(group):
        lines.append(_body(one, names))
        offset = at * threads * 16
        kind = one.type_of(one.target())
        wide = kind == "pred" or (one.form.name == "lop3" and "bool" in one.chosen)
        bits = 64 if wide else width_of(kind)
        lines.append(f"st.global.b{bits} [%x+{offset}], {'%w' if wide else f'%r{bits}'};")
        if "cc" in one.chosen:
            kind = "subc" if one.form.name in ("sub", "subc") else "addc"
            lines.append(f"{kind}.u32 %n, 0, 0; and.b32 %n, %n, 1; st.global.b32 [%x+{offset + 8}], %n;")
    return "\n".join([*lines, "ret;\n}"])


# --- results


def computed(
    group: Sequence[Variant], types: Sequence[str], names: Sequence[str], rows: Any, seed: int
) -> Any:
    """The words that the simulator answers, by variants and rows, with the carries beside them."""
    columns = [
        np.array(column, np.uint64).astype(f"u{width_of(type_name) // 8}")
        for column, type_name in zip(zip(*rows, strict=True), types, strict=True)
    ]
    out = np.zeros((len(group), len(rows), 2), np.uint64)
    launch(text_of(group, types, names, len(rows)), "k", (1,), (len(rows),), [*columns, out], seed=seed)
    return out


def _definition(one: Variant) -> Callable[..., Any]:
    name, chosen = one.form.name, one.chosen
    if name in CARRYING or (name == "mad" and "cc" in chosen):
        return _with_carry(one)
    return DEFINITIONS[name](chosen)


def _with_carry(one: Variant) -> Callable[..., int]:
    """Sums and products to which one is added, or from which one is taken, by the first operand."""
    bits = width_of(one.chosen["type"])

    def carry(a: int) -> int:
        low = a & 0xFFFFFFFF
        return (low ^ low >> 1) & 1 if one.form.name in CARRYING else 0

    if one.form.name == "subc":
        return lambda a, b: (a - b - carry(a)) & ((2 << bits) - 1)
    if one.form.name == "addc":
        return lambda a, b: a + b + carry(a)
    multiply = multiply_carrying(one.chosen)
    return lambda a, b, c: multiply(a, b, c, carry(a))


def lanes(one: Variant) -> int:
    """How many elements are computed apart; conversions of packed types are defined as a whole."""
    if one.form.name in ("cvt", "setp") or one.form.name == "cvt.pack":
        return 1
    return lanes_of(one.chosen.get("type", "b32"))


def allowed(answer: Answer, found: int, form: Format | None) -> bool:
    """Whether a result is one that the definition has; NaN of a format are alike."""
    if answer is None:
        return True
    if isinstance(answer, Near):
        assert form is not None
        return as_float(decoded(found, form)) in answer
    if isinstance(answer, tuple):
        return any(allowed(one, found, form) for one in answer)
    if found == answer:
        return True
    return form is not None and all(decoded(code, form)[1] == UNKNOWN for code in (found, answer))


def _element_format(one: Variant) -> Format | None:
    """The format of an element of the result, if NaN of it are alike."""
    name = one.chosen.get("dtype") or one.chosen.get("type", "")
    if one.form.name in ("copysign", "testp", "setp", "selp", "slct"):
        return None
    name = "f32" if name == "tf32" else name
    return FORMATS.get(name.removesuffix("x2"))


def differences(one: Variant, rows: Sequence[tuple[int, ...]], found: Any) -> Iterator[str]:
    """Rows whose result is none that the definition allows."""
    define, count, form = _definition(one), lanes(one), _element_format(one)
    if one.form.name == "setp" and not one.target().second:
        define = _first_predicate(define)
    if one.form.name == "setp" and one.chosen["type"].endswith("x2"):
        define = _two_predicates(one)
    widths = [width_of(one.type_of(place)) for place in one.sources()]
    shared = [one.type_of(place) == "pred" for place in one.sources()]
    kind = one.type_of(one.target())
    bits = 64 if kind == "pred" or ("bool" in one.chosen and one.form.name == "lop3") else width_of(kind)
    step = bits // count
    if one.form.name == "cvt" and kind in ("u8", "s8"):
        bits = step = 8
    for row, (word, carry) in zip(rows, found.tolist(), strict=True):
        for at in range(count):
            parts = [
                value if same or count == 1 else value >> at * width // 2 & ((1 << width // 2) - 1)
                for value, width, same in zip(row, widths, shared, strict=True)
            ]
            answer: Any = define(*parts)
            result = word >> at * step & ((1 << step) - 1)
            if "cc" in one.chosen:
                result |= carry << step
            elif one.form.name in CARRYING and answer is not None:
                answer &= (1 << step) - 1
            if not _allowed_packed(answer, result, form, one):
                shown = ", ".join(f"{part:#x}" for part in parts)
                yield f"{one.spelling} {shown}: {result:#x} instead of {_shown(answer)}"


def _allowed_packed(answer: Any, found: int, form: Format | None, one: Variant) -> bool:
    """Of packed conversions the elements are compared apart, as NaN of each are alike."""
    if form is None or one.form.name != "cvt" or not one.chosen["dtype"].endswith("x2"):
        return allowed(answer, found, form)
    width = width_of(one.chosen["dtype"]) // 2
    ones = (1 << width) - 1
    every = answer if isinstance(answer, tuple) else (answer,)
    return any(
        all(allowed(code >> at & ones, found >> at & ones, form) for at in (0, width)) for code in every
    )


def _first_predicate(define: Callable[..., int]) -> Callable[..., int]:
    return lambda *words: define(*words) & 1


def _two_predicates(one: Variant) -> Callable[..., int]:
    """Of packed operands each half has a predicate."""
    half = floating.joined({**one.chosen, "type": one.chosen["type"].removesuffix("x2")})

    def compute(a: int, b: int, *c: int) -> int:
        return half(a & 0xFFFF, b & 0xFFFF, *c)[0] | half(a >> 16, b >> 16, *c)[0] << 1

    return compute


def _shown(answer: Any) -> str:
    if isinstance(answer, int):
        return f"{answer:#x}"
    return " or ".join(f"{one:#x}" for one in answer) if isinstance(answer, tuple) else str(answer)


def rows_for(form: InstructionForm, types: Sequence[str], count: int, work: int) -> list[tuple[int, ...]]:
    """Rows of edges for so many variants of a form, for about so many results."""
    places = Variant(form, {}).sources()
    columns = [
        COUNTS if (form.name, place.name) in POSITIONS else edges(name)
        for place, name in zip(places, types, strict=True)
    ]
    limit = max(LEAST, work // count)
    return rows_of(columns, [lanes_of(name) for name in types], list(map(width_of, types)), limit)


def failures(form: InstructionForm, *, seed: int = 0, work: int) -> list[str]:
    """What is wrong with a form, by about so many results of each."""
    found = list[str]()
    for types, group in groups(form):
        names = "abcd"[: len(types)]
        rows = rows_for(form, types, len(group), work)
        words = computed(group, types, names, rows, seed)
        for one, results in zip(group, words, strict=True):
            found += differences(one, rows, results)
    return found


# --- forms

CHAPTERS = tuple(f"9.7.{number}" for number in range(1, 9))
CONVERSIONS = frozenset({"cvt", "cvt.pack", "prmt"})
ARITHMETIC = [form for form in FORMS if form.section in CHAPTERS or form.name in CONVERSIONS]


def is_refused(form: InstructionForm) -> bool:
    """`fma.oob` and rounding by random bits, which have no meaning in the simulator yet."""
    words = {choice for slot in form.slots for choice in slot.choices if not slot.optional}
    return "oob" in words or "rs" in words


REFUSED = [form for form in ARITHMETIC if is_refused(form)]
DEFINED = [form for form in ARITHMETIC if not is_refused(form)]
APPROXIMATE = [form for form in DEFINED if any(slot.name in ("approx", "kind") for slot in form.slots)]


def main() -> int:
    """Compare so many results for each form; answers whether some are wrong."""
    found = [line for form in DEFINED for line in failures(form, work=int(sys.argv[1]))]
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
