"""The parameters of a cuTile kernel with their annotations, as plain values."""

from __future__ import annotations

from typing import Any, TypeAlias

from tilewright.cutile.facts import ArrayRule
from tilewright.ir.support.record import Record


class LeafNode(Record, frozen=True):
    """The annotation of a parameter that is not a tuple: whether it is a compile-time constant, the bits of
    an integer, and the rules for an array, and for the arrays of a list. For a tuple or a dataclass it holds
    for every item.
    """

    constant: bool = False
    scalar_bits: int = 32
    array: ArrayRule = ArrayRule()
    list_item: ArrayRule = ArrayRule()


class EachNode(Record, frozen=True):
    """The annotation ``tuple[X, ...]``: one annotation for every item."""

    each: Node


class ItemsNode(Record, frozen=True):
    """The annotation ``tuple[X, Y]``: an annotation for each item."""

    items: tuple[Node, ...]


Node: TypeAlias = LeafNode | EachNode | ItemsNode


class Parameters(Record, frozen=True):
    """The name of a kernel's function, and the names and annotations (``nodes``) of its parameters, in order."""

    function_name: str
    names: tuple[str, ...]
    nodes: tuple[Node, ...]


def parameters_of(kernel: Any) -> Parameters:
    """Return the parameters of a ``cuda.tile.kernel``."""
    function = kernel._annotated_function
    names = tuple(function.pysig.parameters)
    nodes = tuple(_node(annotation) for annotation in function.parameter_annotations)
    return Parameters(function.pyfunc.__name__, names, nodes)


def _node(annotation: Any) -> Node:
    if annotation.KIND == "homogeneous_tuple":
        return EachNode(_node(annotation.each))
    if annotation.KIND == "heterogeneous_tuple":
        return ItemsNode(tuple(_node(item) for item in annotation.items))
    bits = 32 if annotation.scalar is None else annotation.scalar.dtype.bitwidth
    element = None if annotation.list is None else annotation.list.element
    return LeafNode(annotation.constant, bits, _array_rule(annotation.array), _array_rule(element))


def _array_rule(annotation: Any) -> ArrayRule:
    if annotation is None:
        return ArrayRule()
    shape, strides = annotation.static_shape_dims, annotation.static_stride_dims
    return ArrayRule(annotation.index_dtype.bitwidth, tuple(shape), tuple(strides))
