"""C declarations of layouts: structs with explicit padding, accessors of bit fields, and assertions that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tilewright.abi.layout import (
    AbiLayout,
    ArrayLayout,
    Embedded,
    Form,
    IntegerLayout,
    LayoutField,
    Profile,
    RawBytes,
    Struct,
    word_name,
)

PREFIX = "tw_"
KEYWORDS = frozenset({"auto", "default", "inline", "register", "signed", "static", "unsigned", "volatile"})
_INTEGERS = {
    (size, signed): f"{'' if signed else 'u'}int{8 * size}_t"
    for size in (1, 2, 4, 8)
    for signed in (True, False)
}


def c_name(struct: Struct) -> str:
    """Return the name of a struct in C: ``tw_`` and its name in snake case, such as ``tw_op_operand`` for
    `OpOperand`.
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", struct.name)
    return PREFIX + re.sub(r"[^A-Za-z0-9]+", "_", words).strip("_").lower()


def c_member(name: str) -> str:
    """Return the name of a field as a member of a C struct: an underscore is added to a C keyword."""
    return f"{name}_" if name in KEYWORDS else name


def header(layouts: Iterable[AbiLayout], profile: Profile) -> str:
    """Return a C header with the struct of each of `layouts` that exists in `profile`, once each, after the
    structs that it embeds. Pointers are 64-bit numbers: the header describes memory of another program, whose
    addresses are not valid in this one.
    """
    guard = f"TILEWRIGHT_ABI_{re.sub('[^A-Z0-9]+', '_', str(profile).upper())}_H"
    done: dict[str, Struct] = {}
    parts: list[str] = []
    for layout in layouts:
        if profile in layout.structs:
            for struct in _with_embedded(layout.structs[profile]):
                if c_name(struct) not in done:
                    done[c_name(struct)] = struct
                    parts.append(declaration(struct))
    top = f"/* Byte layouts, profile {profile}. Generated: tilewright abi header --profile {profile} */"
    includes = "#include <stddef.h>\n#include <stdint.h>\n\ntypedef uint64_t tw_pointer;"
    return "\n\n".join(
        [f"{top}\n#ifndef {guard}\n#define {guard}", includes, *parts, f"#endif /* {guard} */\n"]
    )


def _with_embedded(struct: Struct) -> Iterator[Struct]:
    for field in struct.stored:
        form = field.form.element if isinstance(field.form, ArrayLayout) else field.form
        if isinstance(form, Embedded):
            yield from _with_embedded(form.struct)
    yield struct


def declaration(struct: Struct) -> str:
    """Return the C declaration of a struct: a `typedef struct` with explicit padding, static assertions of
    its size and of the offsets of its members, and a macro that extracts each bit field. Structs that it
    embeds must be declared before.
    """
    name = c_name(struct)
    lines = [f"/* {_comment(struct.doc)} */", f"typedef struct {name} {{"]
    reached = 0
    for field in struct.encoded_fields():
        lines += _padding(reached, field.offset)
        lines.append(
            f"  {_member(field.form, c_member(word_name(struct, field)))}; /* {_about(struct, field)} */"
        )
        reached = field.end
    lines += [*_padding(reached, struct.size), f"}} {name};"]
    lines.append(f'_Static_assert(sizeof({name}) == {struct.size}, "size");')
    lines += [
        f'_Static_assert(offsetof({name}, {c_member(word_name(struct, field))}) == {field.offset}, "offset");'
        for field in struct.encoded_fields()
    ]
    return "\n".join([*lines, *_accessors(struct)])


def _padding(start: int, end: int) -> list[str]:
    return [f"  uint8_t padding_{start:#x}[{end - start}];"] if end > start else []


def _member(form: Form, name: str) -> str:
    if isinstance(form, IntegerLayout):
        return f"tw_pointer {name}" if form.target else f"{_INTEGERS[form.size, form.signed]} {name}"
    if isinstance(form, RawBytes):
        return f"uint8_t {name}[{form.size}]"
    if isinstance(form, ArrayLayout):
        return f"{_member(form.element, name)}[{form.count}]"
    return f"{c_name(form.struct)} {name}"


def _about(struct: Struct, field: LayoutField) -> str:
    sharing = [f for f in struct.stored if f.offset == field.offset]
    texts = [f.meaning if f.bits is None else f"{f.name}: {f.meaning}" for f in sharing]
    target = f"{field.form.target} *: " if isinstance(field.form, IntegerLayout) and field.form.target else ""
    return _comment(target + "; ".join(texts))


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("/*", "/ *")


def _accessors(struct: Struct) -> list[str]:
    return [
        f"#define {c_name(struct).upper()}_{field.name.upper()}(s) "
        f"(((s)->{c_member(word_name(struct, field))} >> {field.bits.shift}) & {field.bits.mask:#x}u{_suffix(field)})"
        for field in struct.stored
        if field.bits is not None
    ]


def _suffix(field: LayoutField) -> str:
    return "ll" if field.form.size == 8 else ""
