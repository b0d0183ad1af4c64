"""Random kernels of integers and pointers: tiles that count and repeat, true promises, loops and branches.

The samplers of `tilewright.testing` make every operation, but rarely ones about whose values there is much to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

ELEMENTS = ("i8", "i32", "i32", "i64")
SHAPES = ("", "8x", "4x8x")
BUFFER = 256
ARITHMETIC = (
    "addi",
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "divi",
    "remi",
    "maxi",
    "mini",
    "shri",
    "shli",
)
RELATIONS = ("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal")


@dataclass
class Writer:
    """A kernel under construction: lines, and the values in sight by type."""

    source: random.Random
    lines: list[str] = field(default_factory=list[str])
    known: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Name, shape, element of each integer value in sight."""
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def make(self, text: str, shape: str, element: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.known.append((name, shape, element))
        return name

    def integer(self, shape: str, element: str) -> str:
        """A value in sight, or a new constant."""
        known = [name for name, s, e in self.known if (s, e) == (shape, element)]
        if known and self.source.random() < 0.75:
            return self.source.choice(known[-6:])
        return self.constant(shape, element)

    def constant(self, shape: str, element: str, value: int | None = None) -> str:
        limit = 1 << (int(element[1:]) - 1)
        choices = (0, 1, 2, 3, 4, 7, 8, 16, -1, -8, limit - 1, -limit, self.source.randrange(-limit, limit))
        number: int | str = self.source.choice(choices) if value is None else value
        if element == "i1":
            number = "true" if self.source.random() < 0.5 else "false"
        return self.make(f"constant <{element}: {number}> : tile<{shape}{element}>", shape, element)


def arithmetic(writer: Writer) -> None:
    source = writer.source
    shape, element, op = source.choice(SHAPES), source.choice(ELEMENTS), source.choice(ARITHMETIC)
    lhs = writer.integer(shape, element)
    rhs = writer.integer(shape, element)
    if op in ("divi", "remi", "shri", "shli") and source.random() < 0.8:
        small = source.choice((1, 2, 4, 8, 3)) if op in ("divi", "remi") else source.randrange(5)
        rhs = writer.constant(shape, element, small)
    sign = (
        f" {source.choice(('signed', 'unsigned'))}" if op in ("divi", "remi", "maxi", "mini", "shri") else ""
    )
    promise = " overflow<no_signed_wrap>" if op in ("addi", "subi", "muli") and source.random() < 0.3 else ""
    writer.make(f"{op} {lhs}, {rhs}{sign}{promise} : tile<{shape}{element}>", shape, element)


def counting(writer: Writer) -> None:
    element = writer.source.choice(ELEMENTS)
    writer.make(f"iota : tile<8x{element}>", "8x", element)


def comparison(writer: Writer) -> None:
    source = writer.source
    shape, element = source.choice(SHAPES), source.choice(ELEMENTS)
    lhs, rhs = writer.integer(shape, element), writer.integer(shape, element)
    relation, sign = source.choice(RELATIONS), source.choice(("signed", "unsigned"))
    result = f"tile<{shape}{element}> -> tile<{shape}i1>"
    writer.make(f"cmpi {relation} {lhs}, {rhs}, {sign} : {result}", shape, "i1")


def selection(writer: Writer) -> None:
    shape, element = writer.source.choice(SHAPES), writer.source.choice(ELEMENTS)
    condition = writer.integer(shape, "i1")
    yes, no = writer.integer(shape, element), writer.integer(shape, element)
    types = f"tile<{shape}i1>, tile<{shape}{element}>"
    writer.make(f"select {condition}, {yes}, {no} : {types}", shape, element)


def conversion(writer: Writer) -> None:
    source = writer.source
    shape = source.choice(SHAPES)
    narrow, wide = source.choice((("i8", "i32"), ("i32", "i64"), ("i8", "i64"), ("i1", "i32")))
    if source.random() < 0.6:
        value = writer.integer(shape, narrow)
        sign = source.choice(("signed", "unsigned"))
        writer.make(f"exti {value} {sign} : tile<{shape}{narrow}> -> tile<{shape}{wide}>", shape, wide)
    else:
        value = writer.integer(shape, wide)
        writer.make(f"trunci {value} : tile<{shape}{wide}> -> tile<{shape}{narrow}>", shape, narrow)


def spreading(writer: Writer) -> None:
    """A scalar to all elements, a row to all rows, a tile turned."""
    source = writer.source
    element = source.choice(ELEMENTS)
    if source.random() < 0.5:
        scalar = writer.integer("", element)
        thin = writer.make(f"reshape {scalar} : tile<{element}> -> tile<1x{element}>", "1x", element)
        writer.make(f"broadcast {thin} : tile<1x{element}> -> tile<8x{element}>", "8x", element)
        return
    row = writer.integer("8x", element)
    thin = writer.make(f"reshape {row} : tile<8x{element}> -> tile<1x8x{element}>", "1x8x", element)
    writer.make(f"broadcast {thin} : tile<1x8x{element}> -> tile<4x8x{element}>", "4x8x", element)


def promise(writer: Writer) -> None:
    """Often false, and then the run ends there."""
    source = writer.source
    shape, element = source.choice(SHAPES), source.choice(ELEMENTS)
    value = writer.integer(shape, element)
    predicates = ["div_by<4>", "div_by<16>", "bounded<0, ?>", "bounded<-8, 100>", "bounded<?, 63>"]
    if shape == "8x":
        predicates += ["same_elements<[4]>", "div_by<8, every 4 along 0>", "div_by<2, every 6 along 0>"]
    writer.make(f"assume {source.choice(predicates)}, {value} : tile<{shape}{element}>", shape, element)


def access(writer: Writer) -> None:
    """A load at the start of a buffer, or near it, and a store of the same."""
    source = writer.source
    element = source.choice(ELEMENTS)
    index = writer.integer("8x", "i32")
    masked = writer.make(f"andi {index}, {writer.constant('8x', 'i32', 15)} : tile<8xi32>", "8x", "i32")
    one, all_ = writer.name(), writer.name()
    pointers, token = writer.name(), writer.name()
    pointer = f"ptr<{element}>"
    writer.lines += [
        f"{one} = reshape %p_{element} : tile<{pointer}> -> tile<1x{pointer}>",
        f"{all_} = broadcast {one} : tile<1x{pointer}> -> tile<8x{pointer}>",
        f"{pointers} = offset {all_}, {masked} : tile<8x{pointer}>, tile<8xi32> -> tile<8x{pointer}>",
    ]
    loaded = writer.name()
    writer.lines.append(
        f"{loaded}, {token} = load_ptr_tko weak {pointers} : tile<8x{pointer}> -> tile<8x{element}>, token"
    )
    writer.known.append((loaded, "8x", element))
    writer.make(f"ptr_to_int {pointers} : tile<8x{pointer}> -> tile<8xi64>", "8x", "i64")


def view(writer: Writer) -> None:
    source = writer.source
    extent = writer.make(f"assume bounded<1, 64>, {writer.integer('', 'i32')} : tile<i32>", "", "i32")
    tensor, tiles, shape = writer.name(), writer.name(), writer.name()
    step = source.choice((4, 8))
    tensor_type = "tensor_view<?xi32, strides=[1]>"
    writer.lines += [
        f"{tensor} = make_tensor_view %p_i32, shape = [{extent}], strides = [1] : tile<i32> -> {tensor_type}",
        f"{tiles} = make_partition_view {tensor} : partition_view<tile=({step}), {tensor_type}>",
        f"{shape} = get_index_space_shape {tiles} : partition_view<tile=({step}), {tensor_type}> -> tile<i32>",
    ]
    writer.known.append((shape, "", "i32"))


def branch(writer: Writer) -> None:
    condition = writer.integer("", "i1")
    shape, element = writer.source.choice(SHAPES), writer.source.choice(ELEMENTS)
    kind = f"tile<{shape}{element}>"
    result = writer.name()
    head = f"{result} = if {condition} -> ({kind}) {{"
    _nested(writer, head, lambda: f"yield {writer.integer(shape, element)} : {kind}", "} else {")
    _nested(writer, "", lambda: f"yield {writer.integer(shape, element)} : {kind}", "}")
    writer.known.append((result, shape, element))


def _nested(writer: Writer, head: str, last: Callable[[], str], tail: str) -> None:
    writer.lines += [head] if head else []
    outer = list(writer.known)
    statements(writer, writer.source.randrange(3), nested=True)
    writer.lines += [last(), tail]
    writer.known = outer


def counted_loop(writer: Writer) -> None:
    """A few rounds with one or two carried values, of which one is often advanced by a constant."""
    source = writer.source
    shape, element = source.choice(SHAPES), source.choice(ELEMENTS)
    kind = f"tile<{shape}{element}>"
    lower = writer.constant("", "i32", source.choice((0, 0, 1, 16, -3)))
    upper = writer.constant("", "i32", source.choice((0, 4, 7, 64, 20)))
    if source.random() < 0.4:
        upper = writer.make(f"assume bounded<?, 24>, {writer.integer('', 'i32')} : tile<i32>", "", "i32")
    stride = writer.constant("", "i32", source.choice((1, 4, 8, 16)))
    initial = writer.integer(shape, element)
    result, counter, carried = writer.name(), writer.name(), writer.name()
    unsigned = " unsigned" if source.random() < 0.15 else ""
    span = f"{counter} in ({lower} to {upper}, step {stride}) : tile<i32>"
    writer.lines.append(f"{result} = for{unsigned} {span} iter_values({carried} = {initial}) -> ({kind}) {{")
    outer = list(writer.known)
    writer.known += [(counter, "", "i32"), (carried, shape, element)]
    statements(writer, source.randrange(1, 4), nested=True)
    advanced = writer.integer(shape, element)
    if source.random() < 0.5:
        advanced = writer.make(
            f"addi {carried}, {writer.constant(shape, element, source.choice((1, 4, 8, 16)))} : {kind}",
            shape,
            element,
        )
    writer.lines += [f"continue {advanced} : {kind}", "}"]
    writer.known = [*outer, (result, shape, element)]


def endless_loop(writer: Writer) -> None:
    source = writer.source
    kind = "tile<i32>"
    initial, limit = writer.integer("", "i32"), writer.constant("", "i32", source.choice((3, 9, 100)))
    result, carried = writer.name(), writer.name()
    writer.lines.append(f"{result} = loop iter_values({carried} = {initial}) : {kind} -> {kind} {{")
    outer = list(writer.known)
    writer.known.append((carried, "", "i32"))
    statements(writer, source.randrange(3), nested=True)
    step = writer.constant("", "i32", source.choice((1, 2, 8)))
    following = writer.make(f"addi {carried}, {step} : {kind}", "", "i32")
    ends = writer.make(f"cmpi greater_than {following}, {limit}, signed : {kind} -> tile<i1>", "", "i1")
    left = writer.integer("", "i32")
    writer.lines += [f"if {ends} {{", f"break {left} : {kind}", "}", f"continue {following} : {kind}", "}"]
    writer.known = [*outer, (result, "", "i32")]


FLAT: Sequence[Callable[[Writer], None]] = (
    *[arithmetic] * 6,
    *[counting] * 2,
    *[comparison] * 2,
    selection,
    *[conversion] * 2,
    *[spreading] * 2,
    *[promise] * 2,
    access,
    view,
)
NESTING: Sequence[Callable[[Writer], None]] = (branch, counted_loop, counted_loop, endless_loop)


def statements(writer: Writer, count: int, *, nested: bool = False) -> None:
    for _ in range(count):
        writer.source.choice(FLAT if nested else (*FLAT, *NESTING))(writer)


def program(source: random.Random) -> str:
    """The text of a module with one kernel ``@k``; see `launch_arguments`."""
    writer = Writer(source)
    writer.known += [("%n", "", "i32"), ("%m", "", "i64"), ("%x", "", "i1")]
    ids = "%bx, %by, %bz = get_tile_block_id : tile<i32>"
    writer.known.append(("%bx", "", "i32"))
    statements(writer, source.randrange(4, 14))
    parameters = ", ".join(
        [
            "%n: tile<i32>",
            "%m: tile<i64>",
            "%x: tile<i1>",
            *[f"%p_{e}: tile<ptr<{e}>>" for e in ("i8", "i32", "i64")],
        ]
    )
    body = "\n".join([ids, *writer.lines])
    return f"cuda_tile.module @m {{\nentry @k({parameters}) {{\n{body}\nreturn\n}}\n}}"


def launch_arguments(source: random.Random) -> list[Any]:
    """Numbers of all sorts and buffers of random bytes."""
    number = source.choice((0, 1, 7, 16, 48, -4, 2**31 - 1, source.getrandbits(32)))
    buffers = [np.frombuffer(bytearray(source.randbytes(BUFFER)), dtype=np.uint8) for _ in range(3)]
    return [number, source.choice((0, 64, source.getrandbits(64))), source.getrandbits(1), *buffers]
