"""The parameters of a cuTile kernel with their annotations, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tilewright.cutile.facts import ArrayRule


@dataclass(frozen=True, slots=True)
class LeafNode:
    """Annotation of a parameter that is no tuple; on a tuple or dataclass it holds for every item."""

    constant: bool = False
    scalar_bits: int = 32
    array: ArrayRule = field(default_factory=ArrayRule)
    list_item: ArrayRule = field(default_factory=ArrayRule)


@dataclass(frozen=True, slots=True)
class EachNode:
    """Annotation ``tuple[X, ...]``."""

    each: Node


@dataclass(frozen=True, slots=True)
class ItemsNode:
    """Annotation ``tuple[X, Y]``."""

    items: tuple[Node, ...]


Node: TypeAlias = LeafNode | EachNode | ItemsNode


@dataclass(frozen=True, slots=True)
class Parameters:
    """Names and annotations of a kernel's parameters, in order."""

    function_name: str
    names: tuple[str, ...]
    nodes: tuple[Node, ...]


def parameters_of(kernel: Any) -> Parameters:
    """The parameters of a ``cuda.tile.kernel``."""
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
