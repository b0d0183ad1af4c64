"""Fast writing of declared structs: all integers of a struct in one call, in the order of their offsets."""

from __future__ import annotations

import struct as _struct
from collections.abc import Iterator
from functools import cache

from tilewright.abi import layout

_CODES = {
    (1, False): "B",
    (2, False): "H",
    (4, False): "I",
    (8, False): "Q",
    (1, True): "b",
    (2, True): "h",
    (4, True): "i",
    (8, True): "q",
}


@cache
def packer(struct: layout.Struct) -> _struct.Struct:
    """Return the `struct.Struct` that packs all integers of a struct, in the order of `word_names`; raw bytes
    are packed as 64-bit words, and padding becomes zero. Raises `LayoutError` for raw bytes whose size is not
    a multiple of 8.
    """
    text, reached = "<", 0
    for _, offset, form in _integers(struct, 0, ""):
        text += f"{offset - reached}x" if offset > reached else ""
        text += _CODES[form.size, form.signed]
        reached = offset + form.size
    return _struct.Struct(text + (f"{struct.size - reached}x" if struct.size > reached else ""))


@cache
def word_names(struct: layout.Struct) -> tuple[str, ...]:
    """Return the names of the integers of a struct, in the order of `packer`'s arguments. A name is a dotted
    path with indices of array elements, such as ``notes.begin`` or ``local[1]``; the names of bit fields in
    one integer are joined by ``_and_``.
    """
    return tuple(name for name, _, _ in _integers(struct, 0, ""))


def _integers(
    struct: layout.Struct, base: int, prefix: str
) -> Iterator[tuple[str, int, layout.IntegerLayout]]:
    for field in struct.encoded_fields():
        yield from _flat(field.form, base + field.offset, prefix + layout.word_name(struct, field))


def _flat(form: layout.Form, at: int, name: str) -> Iterator[tuple[str, int, layout.IntegerLayout]]:
    if isinstance(form, layout.IntegerLayout):
        yield name, at, form
    elif isinstance(form, layout.Embedded):
        yield from _integers(form.struct, at, name + ".")
    elif isinstance(form, layout.ArrayLayout):
        for position in range(form.count):
            yield from _flat(form.element, at + position * form.element.size, f"{name}[{position}]")
    elif form.size % 8 == 0:
        for position in range(form.size // 8):
            yield f"{name}[{position}]", at + 8 * position, layout.IntegerLayout(8)
    else:
        raise layout.LayoutError(f"'{name}' is {form.size} raw bytes, which are no whole number of words")
