"""Hypothesis strategies: types, attributes, locations and modules of unregistered operations."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import (
    UNIT,
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    OpaqueAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    element_bytes,
)
from tilewright.ir.builtin_types import (
    DYNAMIC,
    ComplexType,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    OpaqueType,
    RankedTensorType,
    TupleType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    element_count,
    f32,
    i1,
    i8,
    i32,
    i64,
    index,
)
from tilewright.ir.context import Context
from tilewright.ir.location import (
    UNKNOWN,
    CallSiteLocation,
    FileLineColLocation,
    FusedLocation,
    NameLocation,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

CONTEXT = Context(allow_unregistered=True)

BODIES = ("ty", "ty<a, b>", '"raw"', 'bar.baz<{[()]} "<">', "x -> y", "t<u<v<w<8>>>>", "4x?xf32")
"""What may stand after the name of a dialect that is not loaded."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.one_of(st.sampled_from(["a", "value", "loc", "true", "q r", "x.y$1"]), texts.filter(bool))

integer_types = st.one_of(
    st.sampled_from([i1, i8, i32, i64]),
    st.builds(IntegerType, st.integers(0, 130), st.sampled_from(["signless", "signed", "unsigned"])),
)
float_types = st.sampled_from([FloatType(name) for name in FLOAT_FORMATS])
number_types: st.SearchStrategy[Type] = st.one_of(integer_types, float_types, st.just(index))
opaque_types = st.builds(OpaqueType, st.sampled_from(["foo", "ba_r"]), st.sampled_from(BODIES))
shapes = st.lists(st.integers(1, 9), max_size=3).map(tuple)
open_shapes = st.lists(st.one_of(st.integers(0, 9), st.just(DYNAMIC)), max_size=3).map(tuple)


def _vectors(elements: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    extents = st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=3)
    return st.builds(
        lambda dims, element: VectorType(tuple(n for n, _ in dims), element, tuple(s for _, s in dims)),
        extents,
        elements,
    )


def _compound_types(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    some = st.lists(inner, max_size=3).map(tuple)
    space = st.sampled_from([None, IntegerAttr(i64, 3), IntegerAttr(i32, 1), StringAttr("fast")])
    encoding = st.sampled_from([None, StringAttr("e"), IntegerAttr(i64, 3), TypeAttr(i32)])
    return st.one_of(
        _vectors(inner),
        st.builds(RankedTensorType, open_shapes, inner, encoding),
        st.builds(UnrankedTensorType, inner),
        st.builds(MemRefType, open_shapes, inner, st.none(), space),
        st.builds(UnrankedMemRefType, inner, space),
        st.builds(ComplexType, inner),
        st.builds(TupleType, some),
        st.builds(FunctionType, some, some),
    )


types: st.SearchStrategy[Type] = st.recursive(
    st.one_of(number_types, st.just(NoneType()), opaque_types), _compound_types, max_leaves=5
)


def patterns(kind: Any) -> st.SearchStrategy[int]:
    """Bit patterns of an element type."""
    width = 64 if isinstance(kind, IndexType) else kind.width
    return st.integers(0, (1 << width) - 1)


@st.composite
def dense_elements(draw: st.DrawFn) -> DenseElementsAttr:
    kind = draw(number_types)
    shape = draw(st.one_of(shapes, st.just((0, 2)), st.just((51, 2)), st.just((2, 9, 7))))
    shaped = draw(st.sampled_from([RankedTensorType, VectorType])) if 0 not in shape else RankedTensorType
    count = element_count(shape)
    stored = draw(st.one_of(st.just(min(count, 1)), st.just(count)))
    distinct = draw(st.lists(patterns(kind), min_size=1, max_size=5))
    size = element_bytes(kind)
    data = b"".join(distinct[i % len(distinct)].to_bytes(size, "little") for i in range(stored))
    return DenseElementsAttr(shaped(shape, kind), data)


@st.composite
def dense_arrays(draw: st.DrawFn) -> DenseArrayAttr:
    kind = draw(number_types)
    return DenseArrayAttr(kind, tuple(draw(st.lists(patterns(kind), max_size=4))))


integers = st.one_of(integer_types, st.just(index)).flatmap(
    lambda kind: st.builds(IntegerAttr, st.just(kind), patterns(kind))
)
floats = float_types.flatmap(lambda kind: st.builds(FloatAttr, st.just(kind), patterns(kind)))


def _compound_locations(inner: st.SearchStrategy[Location]) -> st.SearchStrategy[Location]:
    metadata = st.sampled_from([None, StringAttr("meta"), IntegerAttr(i32, 3)])
    return st.one_of(
        st.builds(NameLocation, texts, inner),
        st.builds(CallSiteLocation, inner, inner),
        st.builds(FusedLocation, st.lists(inner, max_size=3).map(tuple), metadata),
    )


locations: st.SearchStrategy[Location] = st.recursive(
    st.one_of(
        st.just(UNKNOWN), st.builds(FileLineColLocation, texts, st.integers(0, 10**6), st.integers(0, 999))
    ),
    _compound_locations,
    max_leaves=4,
)

simple_attributes: st.SearchStrategy[Attribute] = st.one_of(
    st.just(UNIT),
    integers,
    floats,
    st.builds(StringAttr, texts),
    st.builds(StringAttr, texts, st.one_of(st.none(), types)),
    st.builds(TypeAttr, types),
    st.builds(SymbolRefAttr, names, st.lists(names, max_size=2).map(tuple)),
    st.builds(OpaqueAttr, st.sampled_from(["foo", "ba_r"]), st.sampled_from(BODIES)),
    dense_arrays(),
    dense_elements(),
    locations,
)

attributes: st.SearchStrategy[Attribute] = st.recursive(
    simple_attributes,
    lambda inner: st.one_of(
        st.builds(ArrayAttr, st.lists(inner, max_size=3).map(tuple)),
        st.builds(DictionaryAttr.of, st.dictionaries(names, inner, max_size=3)),
    ),
    max_leaves=4,
)

few_types = st.one_of(st.sampled_from([i32, f32, i1]), types)


@st.composite
def modules(
    draw: st.DrawFn, *, attribute_values: Any = attributes, location_values: Any = locations
) -> Operation:
    """An unregistered operation with regions: several blocks, branches, uses before definitions, nesting."""
    shaper = _Shaper(draw, attribute_values, location_values)
    root = shaper.operation(3, in_region=None)
    shaper.connect()
    return root


class _Shaper:
    """Draws the shape first, operands and successors when all values are known."""

    def __init__(self, draw: st.DrawFn, attribute_values: Any, location_values: Any) -> None:
        self.draw = draw
        self.attributes = st.dictionaries(names, attribute_values, max_size=2)
        self.locations = location_values
        self.made: list[tuple[Operation, Region | None]] = []

    def operation(self, depth: int, in_region: Region | None) -> Operation:
        draw = self.draw
        count = draw(st.integers(1 if in_region is None else 0, 2)) if depth else 0
        regions = [Region() for _ in range(count)]
        op = Operation.from_parts(
            CONTEXT.unregistered_kind(draw(st.sampled_from(["t.a", "t.b", "u.c d", 'u."']))),
            result_types=draw(st.lists(few_types, max_size=2)) if in_region is not None else (),
            attributes=draw(self.attributes),
            regions=regions,
            location=draw(self.locations),
        )
        self.made.append((op, in_region))
        for region in regions:
            for _ in range(draw(st.integers(0, 2))):
                self.block(region, depth)
        return op

    def block(self, region: Region, depth: int) -> None:
        kinds = self.draw(st.lists(few_types, max_size=2))
        block = region.append(Block(kinds, [self.draw(self.locations) for _ in kinds]))
        for _ in range(self.draw(st.integers(0, 3))):
            block.append(self.operation(depth - 1, region))

    def connect(self) -> None:
        for op, region in self.made:
            if region is None:
                continue
            visible = _visible(region)
            if visible:
                op.set_operands(self.draw(st.lists(st.sampled_from(visible), max_size=3)))
            if op.parent is not None and op.parent.last is op and self.draw(st.booleans()):
                op.set_successors(self.draw(st.lists(st.sampled_from(region.blocks), max_size=2)))


def _visible(region: Region) -> list[Value]:
    """Values of a region and of those around it, also those that are defined later."""
    values: list[Value] = []
    current: Region | None = region
    while current is not None:
        for block in current.blocks:
            values.extend(block.arguments)
            values.extend(result for op in block for result in op.results)
        owner = current.parent
        current = owner.parent.parent if owner is not None and owner.parent is not None else None
    return values
