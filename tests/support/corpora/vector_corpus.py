"""Generated instances of the operations of ``vector``, in generic form: shapes, element types, attributes drawn by seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.support.generic_text import attributes, dense_integers, operation, segments, shaped
from tilewright.ir.builtin_types import DYNAMIC

Draw = random.Random
Generator = Callable[[Draw], str]
Extents = tuple[int, ...]

ELEMENTS = ("f32", "f16", "bf16", "i1", "i8", "i32", "index")
FLOATS = ("f32", "f16", "f64")
INTEGERS = ("i8", "i32", "i64")
FLOAT_KINDS = ("add", "mul", "minnumf", "maxnumf", "minimumf", "maximumf")
INTEGER_KINDS = ("add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor")


def vector(extents: Sequence[int | str], element: str) -> str:
    return f"vector<{''.join(f'{extent}x' for extent in extents)}{element}>"


def shape(draw: Draw, low: int = 1, high: int = 3) -> Extents:
    return tuple(draw.choice((1, 2, 4, 8)) for _ in range(draw.randint(low, high)))


def scaled(draw: Draw, extents: Extents) -> tuple[int | str, ...]:
    """Extents of which the last may be scalable."""
    return (*extents[:-1], draw.choice((extents[-1], f"[{extents[-1]}]"))) if extents else extents


def any_vector(draw: Draw, low: int = 1, high: int = 3) -> str:
    return vector(scaled(draw, shape(draw, low, high)), draw.choice(ELEMENTS))


def combining(draw: Draw) -> tuple[str, str]:
    """A kind and an element type that it combines."""
    if draw.random() < 0.5:
        return f"kind = #vector.kind<{draw.choice(FLOAT_KINDS)}>", draw.choice(FLOATS)
    return f"kind = #vector.kind<{draw.choice(INTEGER_KINDS)}>", draw.choice(INTEGERS)


def map_text(dimensions: int, results: Sequence[int | str]) -> str:
    names = ", ".join(f"d{number}" for number in range(dimensions))
    words = ", ".join(result if isinstance(result, str) else f"d{result}" for result in results)
    return f"affine_map<({names}) -> ({words})>"


def fma(draw: Draw) -> str:
    type = vector(scaled(draw, shape(draw)), draw.choice(FLOATS))
    return operation("vector.fma", [type] * 3, [type], [], draw)


def contract(draw: Draw) -> str:
    (m, n, k), element = shape(draw, 3, 3), draw.choice(FLOATS)
    maps = [map_text(3, (0, 2)), map_text(3, (2, 1)), map_text(3, (0, 1))]
    iterators = ", ".join(f"#vector.iterator_type<{word}>" for word in ("parallel", "parallel", "reduction"))
    kind = f"kind = #vector.kind<{draw.choice(('add', 'mul', 'maxnumf'))}>"
    properties = [f"indexing_maps = [{', '.join(maps)}]", f"iterator_types = [{iterators}]", kind]
    types = [vector(extents, element) for extents in ((m, k), (k, n), (m, n))]
    return operation("vector.contract", types, [types[-1]], properties, draw)


def outer_product(draw: Draw) -> str:
    (m, n), (kind, element) = shape(draw, 2, 2), combining(draw)
    lhs, rhs, result = vector((m,), element), vector((n,), element), vector((m, n), element)
    if draw.random() < 0.3:
        rhs, result = element, lhs
    if draw.random() < 0.5:
        return operation("vector.outerproduct", [lhs, rhs, result], [result], [kind], draw)
    return operation(
        "vector.outerproduct", [lhs, rhs], [result], ["kind = #vector.kind<add>"], draw, discardable=""
    )


def reduction(draw: Draw) -> str:
    kind, element = combining(draw)
    source = [vector(scaled(draw, shape(draw, 1, 1)), element)]
    flags = draw.choice(("none", "fast", "nnan,contract")) if element in FLOATS else "none"
    operands = [*source, element] if element in FLOATS or draw.random() < 0.5 else source
    properties = [kind, f"fastmath = #arith.fastmath<{flags}>"]
    return operation("vector.reduction", operands, [element], properties, draw)


def multi_reduction(draw: Draw) -> str:
    (kind, element), extents = combining(draw), shape(draw)
    dimensions = sorted(draw.sample(range(len(extents)), draw.randint(1, len(extents))))
    kept = [extent for number, extent in enumerate(extents) if number not in dimensions]
    result = vector(kept, element) if kept else element
    properties = [kind, dense_integers("reduction_dims", dimensions)]
    return operation("vector.multi_reduction", [vector(extents, element), result], [result], properties, draw)


def scan(draw: Draw) -> str:
    (kind, element), extents = combining(draw), shape(draw, 2, 3)
    dimension = draw.randrange(len(extents))
    initial = vector(extents[:dimension] + extents[dimension + 1 :], element)
    types = [vector(extents, element), initial]
    properties = [kind, f"reduction_dim = {dimension} : i64", f"inclusive = {draw.choice(('true', 'false'))}"]
    return operation("vector.scan", types, types, properties, draw)


def broadcast(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    source = draw.choice((element, vector(extents[1:], element)))
    return operation("vector.broadcast", [source], [vector(extents, element)], [], draw)


def _position(draw: Draw, extents: Extents) -> tuple[Extents, Extents]:
    """A position in some leading dimensions, and the extents below it."""
    depth = draw.randint(0, len(extents))
    return tuple(draw.choice((0, DYNAMIC)) for _ in range(depth)), extents[depth:]


def extract(draw: Draw) -> str:
    extents, element = shape(draw, 0), draw.choice(ELEMENTS)
    position, rest = _position(draw, extents)
    result = vector(rest, element) if rest else element
    operands = [vector(extents, element), *["index"] * position.count(DYNAMIC)]
    return operation(
        "vector.extract", operands, [result], [dense_integers("static_position", position)], draw
    )


def insert(draw: Draw) -> str:
    extents, element = shape(draw, 0), draw.choice(ELEMENTS)
    position, rest = _position(draw, extents)
    value, dest = vector(rest, element) if rest else element, vector(extents, element)
    operands = [value, dest, *["index"] * position.count(DYNAMIC)]
    return operation("vector.insert", operands, [dest], [dense_integers("static_position", position)], draw)


def extract_slice(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    sizes = [draw.randint(1, extent) for extent in extents]
    starts = [draw.randint(0, extent - size) for extent, size in zip(extents, sizes, strict=True)]
    properties = [f"offsets = {starts}", f"sizes = {sizes}", f"strides = {[1] * len(extents)}"]
    operands, results = [vector(extents, element)], [vector(sizes, element)]
    return operation("vector.extract_strided_slice", operands, results, properties, draw)


def insert_slice(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    properties = [f"offsets = {[0] * len(extents)}", f"strides = {[1] * len(extents)}"]
    value, dest = vector([draw.randint(1, extent) for extent in extents], element), vector(extents, element)
    return operation("vector.insert_strided_slice", [value, dest], [dest], properties, draw)


def scalable_extract(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    properties = [f"pos = {draw.choice((0, 4, 8))} : i64"]
    return operation(
        "vector.scalable.extract", [vector(("[16]",), element)], [vector((4,), element)], properties, draw
    )


def scalable_insert(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    operands = [vector((4,), element), vector(("[16]",), element)]
    return operation("vector.scalable.insert", operands, [operands[1]], ["pos = 4 : i64"], draw)


def shuffle(draw: Draw) -> str:
    (length, *rest), element = shape(draw, 1, 2), draw.choice(ELEMENTS)
    mask = [draw.randint(-1, 2 * length - 1) for _ in range(draw.randint(1, 5))]
    source = vector((length, *rest), element)
    result = vector((len(mask), *rest), element)
    return operation("vector.shuffle", [source, source], [result], [dense_integers("mask", mask)], draw)


def shape_cast(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    target = vector((1, *extents), element)
    return operation("vector.shape_cast", [vector(extents, element)], [target], [], draw)


def transpose(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    order = draw.sample(range(len(extents)), len(extents))
    result = vector([extents[place] for place in order], element)
    properties = [dense_integers("permutation", order)]
    return operation("vector.transpose", [vector(extents, element)], [result], properties, draw)


def bitcast(draw: Draw) -> str:
    *outer, last = shape(draw)
    return operation(
        "vector.bitcast", [vector((*outer, last), "f32")], [vector((*outer, 2 * last), "i16")], [], draw
    )


def interleave(draw: Draw) -> str:
    (*outer, last), element = shape(draw), draw.choice(ELEMENTS)
    types = [vector((*outer, last), element)] * 2
    return operation("vector.interleave", types, [vector((*outer, 2 * last), element)], [], draw)


def deinterleave(draw: Draw) -> str:
    (*outer, last), element = shape(draw), draw.choice(ELEMENTS)
    results = [vector((*outer, last), element)] * 2
    return operation("vector.deinterleave", [vector((*outer, 2 * last), element)], results, [], draw)


def to_elements(draw: Draw) -> str:
    extents, element = draw.choice(((2,), (1, 3), ())), draw.choice(ELEMENTS)
    count = {(2,): 2, (1, 3): 3, (): 1}[extents]
    return operation("vector.to_elements", [vector(extents, element)], [element] * count, [], draw)


def from_elements(draw: Draw) -> str:
    extents, element = draw.choice(((2,), (1, 3), ())), draw.choice(ELEMENTS)
    count = {(2,): 2, (1, 3): 3, (): 1}[extents]
    return operation("vector.from_elements", [element] * count, [vector(extents, element)], [], draw)


def step(draw: Draw) -> str:
    return operation("vector.step", [], [vector(scaled(draw, shape(draw, 1, 1)), "index")], [], draw)


def vscale(draw: Draw) -> str:
    return operation("vector.vscale", [], ["index"], [], draw)


def _memory(draw: Draw, element: str) -> tuple[str, list[str]]:
    """A buffer, and its type with those of its subscripts."""
    extents = tuple(draw.choice((8, DYNAMIC)) for _ in range(draw.randint(1, 3)))
    buffer = f"memref<{shaped(extents, element)}{draw.choice(('', ', 3'))}>"
    return buffer, [buffer, *["index"] * len(extents)]


def _alignment(draw: Draw) -> list[str]:
    return [f"alignment = {2 ** draw.randint(0, 6)} : i64"] if draw.random() < 0.5 else []


def _access(draw: Draw) -> list[str]:
    return _alignment(draw) + (["nontemporal = true"] if draw.random() < 0.5 else [])


def load(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    _, types = _memory(draw, element)
    result = vector(shape(draw, 1, len(types) - 1), element)
    return operation("vector.load", types, [result], _access(draw), draw)


def store(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    _, types = _memory(draw, element)
    value = vector(shape(draw, 1, len(types) - 1), element)
    return operation("vector.store", [value, *types], [], _access(draw), draw)


def _transfer(draw: Draw, rank: int, *, broadcasts: bool) -> tuple[Extents, list[str], Extents]:
    """The shape of a vector, map and bounds as properties, and the shape of the mask."""
    count = draw.randint(1, rank)
    results: list[int | str] = list(draw.choice((range(rank - count, rank), draw.sample(range(rank), count))))
    if broadcasts and draw.random() < 0.3:
        results[draw.randrange(count)] = "0"
    extents = shape(draw, count, count)
    bounds = [draw.choice(("true", "false")) if result != "0" else "true" for result in results]
    bounds = draw.choice((bounds, ["false" if result != "0" else "true" for result in results]))
    properties = [f"in_bounds = [{', '.join(bounds)}]", f"permutation_map = {map_text(rank, results)}"]
    mask = sorted((result, extents[n]) for n, result in enumerate(results) if isinstance(result, int))
    return extents, properties, tuple(extent for _, extent in mask) or (1,)


def _source(draw: Draw, element: str) -> tuple[str, list[str]]:
    buffer, types = _memory(draw, element)
    if draw.random() < 0.5:
        buffer = buffer.removesuffix(", 3>").removesuffix(">").replace("memref", "tensor") + ">"
    return buffer, [buffer, *types[1:]]


def transfer_read(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    _, types = _source(draw, element)
    extents, properties, mask = _transfer(draw, len(types) - 1, broadcasts=True)
    masks = [vector(mask, "i1")] if draw.random() < 0.5 else []
    properties.append(segments("operand", [1, len(types) - 1, 1, len(masks)]))
    operands = [*types, element, *masks]
    return operation("vector.transfer_read", operands, [vector(extents, element)], properties, draw)


def transfer_write(draw: Draw) -> str:
    element = draw.choice(ELEMENTS)
    target, types = _source(draw, element)
    extents, properties, mask = _transfer(draw, len(types) - 1, broadcasts=False)
    masks = [vector(mask, "i1")] if draw.random() < 0.5 else []
    properties.append(segments("operand", [1, 1, len(types) - 1, len(masks)]))
    results = [target] if target.startswith("tensor") else []
    operands = [vector(extents, element), *types, *masks]
    return operation("vector.transfer_write", operands, results, properties, draw)


def _masked(name: str, *, result: bool, indices: bool = False) -> Generator:
    """A generator of a masked access."""

    def masked(draw: Draw) -> str:
        extents, element = shape(draw, 1, 1), draw.choice(ELEMENTS)
        _, types = _memory(draw, element)
        value = vector(extents, element)
        lanes = [vector(extents, draw.choice(("i32", "index")))] if indices else []
        operands = [*types, *lanes, vector(extents, "i1"), value]
        return operation(name, operands, [value] if result else [], _alignment(draw), draw)

    masked.__name__ = name
    return masked


def type_cast(draw: Draw) -> str:
    extents, element = shape(draw), draw.choice(ELEMENTS)
    source, target = f"memref<{shaped(extents, element)}>", f"memref<{vector(extents, element)}>"
    return operation("vector.type_cast", [source], [target], [], draw)


def create_mask(draw: Draw) -> str:
    extents = shape(draw)
    return operation(
        "vector.create_mask", ["index"] * len(extents), [vector(scaled(draw, extents), "i1")], [], draw
    )


def constant_mask(draw: Draw) -> str:
    extents = shape(draw)
    bounds = draw.choice(([draw.randint(1, extent) for extent in extents], [0] * len(extents)))
    properties = [dense_integers("mask_dim_sizes", bounds)]
    return operation("vector.constant_mask", [], [vector(extents, "i1")], properties, draw)


def print_(draw: Draw) -> str:
    punctuation = f"punctuation = #vector.punctuation<{draw.choice(('newline', 'comma', 'open', 'close'))}>"
    if draw.random() < 0.3:
        properties = ["punctuation = #vector.punctuation<newline>", 'stringLiteral = "a \\22text\\22"']
        return operation("vector.print", [], [], properties, draw)
    operands = [draw.choice((any_vector(draw, 0), "f32", "index"))] if draw.random() < 0.7 else []
    return operation("vector.print", operands, [], [punctuation], draw)


def mask(draw: Draw) -> str:
    """A reduction under a mask."""
    kind, element = combining(draw)
    (length,) = shape(draw, 1, 1)
    fast = "fastmath = #arith.fastmath<none>"
    inner = f'"vector.reduction"(%v, %s) <{{{fast}, {kind}}}> : ({vector((length,), element)}, {element}) -> {element}'
    mask = vector((length,), "i1")
    return (
        '"builtin.module"() ({\n'
        f'  %m, %v, %s = "test.values"() : () -> ({mask}, {vector((length,), element)}, {element})\n'
        f'  %r = "vector.mask"(%m) ({{\n    %i = {inner}\n    "vector.yield"(%i) : ({element}) -> ()\n'
        f"  }}){attributes(draw)} : ({mask}) -> {element}\n}}) : () -> ()\n"
    )


GENERATORS: tuple[Generator, ...] = (
    fma, contract, outer_product, reduction, multi_reduction, scan, broadcast, extract, insert, extract_slice,
    insert_slice, scalable_extract, scalable_insert, shuffle, shape_cast, transpose, bitcast, interleave, deinterleave,
    to_elements, from_elements, step, vscale, load, store, transfer_read, transfer_write,
    _masked("vector.maskedload", result=True), _masked("vector.maskedstore", result=False),
    _masked("vector.gather", result=True, indices=True), _masked("vector.scatter", result=False, indices=True),
    _masked("vector.expandload", result=True), _masked("vector.compressstore", result=False),
    type_cast, create_mask, constant_mask, print_, mask,
)  # fmt: skip
