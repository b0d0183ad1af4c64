"""Generated instances of the operations of ``memref``, in generic form: shapes, layouts, element types, attributes drawn by seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.support.generic_text import (
    Shape,
    attributes,
    dense_integers,
    in_module,
    operation,
    segments,
    shaped,
)
from tilewright.dialects.memref.rules_access import FLOAT_KINDS, INTEGER_KINDS
from tilewright.ir.arithmetic.strided_layout import row_major_strides
from tilewright.ir.builtin_types import DYNAMIC

Draw = random.Random
Generator = Callable[[Draw], str]

ELEMENTS = ("f32", "f64", "bf16", "i1", "i8", "i32", "index", "vector<4xf32>", "complex<f32>")
NUMBERS = ("f32", "f16", "i8", "i32", "i64")
SPACES = ("", "", ", 1", ", 3 : i32", ', "shared"', ", {bank = 2 : i32}")


def shape(draw: Draw, low: int = 0, high: int = 3, *, static: bool = False) -> Shape:
    extents = (1, 2, 4, 8) if static else (1, 2, 4, 8, DYNAMIC)
    return tuple(draw.choice(extents) for _ in range(draw.randint(low, high)))


def memref(extents: Shape, element: str, layout: str = "", space: str = "") -> str:
    return f"memref<{shaped(extents, element)}{layout}{space}>"


def any_memref(draw: Draw, low: int = 0, high: int = 3, *, static: bool = False) -> tuple[str, Shape, str]:
    extents, element = shape(draw, low, high, static=static), draw.choice(ELEMENTS)
    return memref(extents, element, "", draw.choice(SPACES)), extents, element


def strided(strides: Sequence[int], offset: int) -> str:
    words = ["?" if number == DYNAMIC else str(number) for number in (*strides, offset)]
    tail = f", offset: {words[-1]}" if offset else ""
    return f", strided<[{', '.join(words[:-1])}]{tail}>"


def indices(extents: Shape) -> list[str]:
    return ["index"] * len(extents)


def alignment(draw: Draw) -> list[str]:
    return [f"alignment = {2 ** draw.randint(0, 6)} : i64"] if draw.random() < 0.5 else []


def access(draw: Draw) -> list[str]:
    return alignment(draw) + (["nontemporal = true"] if draw.random() < 0.5 else [])


def load(draw: Draw) -> str:
    buffer, extents, element = any_memref(draw)
    return operation("memref.load", [buffer, *indices(extents)], [element], access(draw), draw)


def store(draw: Draw) -> str:
    buffer, extents, element = any_memref(draw)
    return operation("memref.store", [element, buffer, *indices(extents)], [], access(draw), draw)


def prefetch(draw: Draw) -> str:
    buffer, extents, _ = any_memref(draw)
    flags = [f"{name} = {draw.choice(('true', 'false'))}" for name in ("isDataCache", "isWrite")]
    hint = f"localityHint = {draw.randint(0, 3)} : i32"
    return operation("memref.prefetch", [buffer, *indices(extents)], [], [*flags, hint], draw)


def atomic(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(NUMBERS)
    kind = draw.choice(FLOAT_KINDS if "f" in element else INTEGER_KINDS).value
    types = [element, memref(extents, element), *indices(extents)]
    return operation("memref.atomic_rmw", types, [element], [f"kind = {kind} : i64"], draw)


def generic_atomic(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(NUMBERS)
    types = [memref(extents, element), *indices(extents)]
    body = f'{{\n  ^bb0(%x: {element}):\n    "memref.atomic_yield"(%x) : ({element}) -> ()\n  }}'
    return operation("memref.generic_atomic_rmw", types, [element], [], draw, regions=[body])


def dma_start(draw: Draw) -> str:
    buffers = [any_memref(draw) for _ in range(2)]
    tag = memref(shape(draw), "i32")
    types = [type for buffer, extents, _ in buffers for type in (buffer, *indices(extents))]
    types += ["index", tag, *["index"] * tag.count("x")]
    return operation("memref.dma_start", [*types, *["index", "index"] * draw.randint(0, 1)], [], [], draw)


def dma_wait(draw: Draw) -> str:
    buffer, extents, _ = any_memref(draw)
    return operation("memref.dma_wait", [buffer, *indices(extents), "index"], [], [], draw)


def _allocation(name: str, draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    layout, symbols = "", 0
    if draw.random() < 0.4:
        strides = [draw.choice((1, 8, DYNAMIC)) for _ in extents]
        offset = draw.choice((0, 5, DYNAMIC))
        layout, symbols = strided(strides, offset), [*strides, offset].count(DYNAMIC)
    sizes = [extents.count(DYNAMIC), symbols]
    properties = [*alignment(draw), segments("operand", sizes)]
    result = memref(extents, element, layout, draw.choice(SPACES))
    return operation(name, ["index"] * sum(sizes), [result], properties, draw)


def alloc(draw: Draw) -> str:
    return _allocation("memref.alloc", draw)


def alloca(draw: Draw) -> str:
    return in_module(_allocation("memref.alloca", draw), scope="memref.alloca_scope")


def alloca_scope(draw: Draw) -> str:
    types = [draw.choice(ELEMENTS) for _ in range(draw.randint(0, 2))]
    uses = ", ".join(f"%{number}" for number in range(len(types)))
    body = f'{{\n    "memref.alloca_scope.return"({uses}) : ({", ".join(types)}) -> ()\n  }}'
    values = "".join(f'  %{n} = "test.value"() : () -> {type}\n' for n, type in enumerate(types))
    text = operation("memref.alloca_scope", [], types, [], draw, regions=[body])
    return f'"builtin.module"() ({{\n{values}  {text}}}) : () -> ()\n'


def dealloc(draw: Draw) -> str:
    return operation("memref.dealloc", [draw.choice((any_memref(draw)[0], "memref<*xf32>"))], [], [], draw)


def realloc(draw: Draw) -> str:
    element, target = draw.choice(ELEMENTS), shape(draw, 1, 1)
    types = [memref(shape(draw, 1, 1), element), *["index"] * target.count(DYNAMIC)]
    return operation("memref.realloc", types, [memref(target, element)], alignment(draw), draw)


def copy(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    types = [memref(extents, element, "", draw.choice(SPACES)) for _ in range(2)]
    return operation("memref.copy", types, [], [], draw)


def dim(draw: Draw) -> str:
    source = draw.choice((any_memref(draw, 1)[0], "memref<*xf32, 1>"))
    return operation("memref.dim", [source, "index"], ["index"], [], draw)


def rank(draw: Draw) -> str:
    return operation("memref.rank", [draw.choice((any_memref(draw)[0], "memref<*xi8>"))], ["index"], [], draw)


def assume_alignment(draw: Draw) -> str:
    buffer = any_memref(draw)[0]
    properties = [f"alignment = {2 ** draw.randint(0, 8)} : i32"]
    return operation("memref.assume_alignment", [buffer], [buffer], properties, draw)


def distinct_objects(draw: Draw) -> str:
    buffers = [any_memref(draw)[0] for _ in range(draw.randint(1, 3))]
    return operation("memref.distinct_objects", buffers, buffers, [], draw)


def metadata(draw: Draw) -> str:
    extents, element, space = shape(draw), draw.choice(ELEMENTS), draw.choice(SPACES)
    results = [memref((), element, "", space), *["index"] * (1 + 2 * len(extents))]
    source = memref(extents, element, "", space)
    return operation("memref.extract_strided_metadata", [source], results, [], draw)


def pointer(draw: Draw) -> str:
    name = "memref.extract_aligned_pointer_as_index"
    return operation(name, [any_memref(draw)[0]], ["index"], [], draw)


def cast(draw: Draw) -> str:
    extents, element = shape(draw, static=True), draw.choice(ELEMENTS)
    forgotten = tuple(draw.choice((extent, DYNAMIC)) for extent in extents)
    target = draw.choice((memref(forgotten, element), f"memref<*x{element}>"))
    return operation("memref.cast", [memref(extents, element)], [target], [], draw)


def space_cast(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    source, target = (memref(extents, element, "", space) for space in draw.sample(SPACES[1:], 2))
    return operation("memref.memory_space_cast", [source], [target], [], draw)


def _mixed(draw: Draw, numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(draw.choice((number, DYNAMIC)) for number in numbers)


def _lists(named: dict[str, Sequence[int]]) -> tuple[list[str], list[str]]:
    """Operands for the unknown numbers of three lists, and the properties."""
    counts = [1, *(list(numbers).count(DYNAMIC) for numbers in named.values())]
    properties = [segments("operand", counts), *(dense_integers(f"static_{n}", v) for n, v in named.items())]
    return ["index"] * sum(counts[1:]), properties


def subview(draw: Draw) -> str:
    rank, element = draw.randint(0, 3), draw.choice(ELEMENTS)
    extents = (16,) * rank
    offsets = _mixed(draw, [draw.randint(0, 3) for _ in extents])
    sizes, steps = _mixed(draw, [2] * rank), _mixed(draw, [draw.randint(1, 3) for _ in extents])
    source_strides = row_major_strides(extents)
    offset = 0
    for start, stride in zip(offsets, source_strides, strict=True):
        offset = DYNAMIC if DYNAMIC in (start, offset) else offset + start * stride
    strides = [
        DYNAMIC if s == DYNAMIC else s * stride for s, stride in zip(steps, source_strides, strict=True)
    ]
    operands, properties = _lists({"offsets": offsets, "sizes": sizes, "strides": steps})
    source, result = memref(extents, element), memref(sizes, element, strided(strides, offset))
    return operation("memref.subview", [source, *operands], [result], properties, draw)


def reinterpret_cast(draw: Draw) -> str:
    rank, element = draw.randint(1, 3), draw.choice(ELEMENTS)
    offsets, sizes = _mixed(draw, [4]), _mixed(draw, [2] * rank)
    strides = _mixed(draw, [draw.randint(1, 9) for _ in range(rank)])
    operands, properties = _lists({"offsets": offsets, "sizes": sizes, "strides": strides})
    source = draw.choice((memref(shape(draw), element), f"memref<*x{element}>"))
    result = memref(sizes, element, strided(strides, offsets[0]))
    return operation("memref.reinterpret_cast", [source, *operands], [result], properties, draw)


def view(draw: Draw) -> str:
    target, element = shape(draw), draw.choice(("f32", "i8", "vector<4xf32>"))
    operands = ["memref<2048xi8>", "index", *["index"] * target.count(DYNAMIC)]
    return operation("memref.view", operands, [memref(target, element)], [], draw)


def reshape(draw: Draw) -> str:
    target, element = shape(draw), draw.choice(ELEMENTS)
    types = [memref(shape(draw), element), f"memref<{len(target)}x{draw.choice(('index', 'i32'))}>"]
    return operation("memref.reshape", types, [memref(target, element)], [], draw)


def transpose(draw: Draw) -> str:
    extents, element = shape(draw, 1, 3, static=True), draw.choice(ELEMENTS)
    order = draw.sample(range(len(extents)), len(extents))
    strides = row_major_strides(extents)
    names = [f"d{number}" for number in range(len(extents))]
    map = f"affine_map<({', '.join(names)}) -> ({', '.join(names[place] for place in order)})>"
    result = memref([extents[p] for p in order], element, strided([strides[p] for p in order], 0))
    return operation("memref.transpose", [memref(extents, element)], [result], [f"permutation = {map}"], draw)


def expand(draw: Draw) -> str:
    target, element = shape(draw, 1, 3, static=True), draw.choice(ELEMENTS)
    total = 1
    for extent in target:
        total *= extent
    group = ", ".join(map(str, range(len(target))))
    properties = [f"reassociation = [[{group}]]", dense_integers("static_output_shape", target)]
    return operation(
        "memref.expand_shape", [memref((total,), element)], [memref(target, element)], properties, draw
    )


def collapse(draw: Draw) -> str:
    source, element = shape(draw, 1, 3, static=True), draw.choice(ELEMENTS)
    total = 1
    for extent in source:
        total *= extent
    group = ", ".join(map(str, range(len(source))))
    properties = [f"reassociation = [[{group}]]"]
    return operation(
        "memref.collapse_shape", [memref(source, element)], [memref((total,), element)], properties, draw
    )


def global_buffer(draw: Draw) -> str:
    extents, element = shape(draw, static=True), draw.choice(("f32", "i8", "i1", "index"))
    literal = {"f32": "1.5", "i8": "-3", "i1": "true", "index": "7"}[element]
    properties = [*alignment(draw), 'sym_name = "buffer"', f"type = {memref(extents, element)}"]
    properties += draw.choice(
        ([], ["initial_value"], [f"initial_value = dense<{literal}> : tensor<{shaped(extents, element)}>"])
    )
    properties += draw.choice(([], ["constant"])) + draw.choice(([], ['sym_visibility = "private"']))
    lines = [operation("memref.global", [], [], properties, draw)]
    use = f'%0 = "memref.get_global"() <{{name = @buffer}}>{attributes(draw)} : () -> {memref(extents, element)}\n'
    return f'"builtin.module"() ({{\n  {lines[0]}  {use}}}) : () -> ()\n'


GENERATORS: tuple[Generator, ...] = (
    load, store, prefetch, atomic, generic_atomic, dma_start, dma_wait, alloc, alloca, alloca_scope, dealloc, realloc,
    copy, dim, rank, assume_alignment, distinct_objects, metadata, pointer, cast, space_cast, subview, reinterpret_cast,
    view, reshape, transpose, expand, collapse, global_buffer,
)  # fmt: skip
