"""Defines which differences count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.syntax.value_names import compressed
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.builtin_attributes import ArrayAttr, DenseArrayAttr, DenseElementsAttr, DictionaryAttr
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation

HINTS = "optimization_hints"
PRODUCER = "producer"
SEGMENT_SIZES = frozenset({"operandSegmentSizes", "resultSegmentSizes"})


@dataclass(frozen=True, slots=True)
class DiffOptions:
    """The differences that count.

    - ``hints``: optimization hints, which change no result.
    - ``locations``: locations, and the producer of a module.
    - ``module_name``: the name of the outermost module; bytecode does not store one.
    - ``texts``: names of files read as text: locations in these files are positions in the text, not origins.
    """

    hints: bool = True
    locations: bool = False
    module_name: bool = True
    texts: frozenset[str] = frozenset()

    def location(self, location: Location) -> Location:
        """Return the location to compare: `UNKNOWN` for a position in one of the files `texts`, other
        locations unchanged.
        """
        source = location.source
        return UNKNOWN if source is not None and source[0] in self.texts else location

    def attributes(self, op: Operation, root: Operation) -> Mapping[str, Attribute]:
        """Return the attributes of an operation to compare: without defaults, which may be omitted, and
        without ignored ones.
        """
        left_out = set(_left_out(op))
        if not self.hints:
            left_out.add(HINTS)
        if op is root:
            left_out.update(() if self.locations else (PRODUCER,))
            left_out.update(() if self.module_name else ("sym_name",))
        held = op.held_attributes.items()
        return {name: _canonical(value) for name, value in held if name not in left_out}


def _canonical(attribute: Attribute) -> Attribute:
    """Return a dense attribute with one element if all elements are equal; other attributes unchanged."""
    return compressed(attribute) if type(attribute) is DenseElementsAttr else attribute


def _left_out(op: Operation) -> Iterator[str]:
    """Yield the names of attributes that mean the same as no attribute: defaults, and values that
    `SAYING_NOTHING` lists.
    """
    held = op.held_attributes
    for field in op.kind.attributes:
        if field.default is not MISSING and held.get(field.ir_name) is field.default:
            yield field.ir_name
    for name, says_nothing in SAYING_NOTHING.items():
        value = held.get(name)
        if value is not None and says_nothing(value):
            yield name


def _is_empty_hints(value: Attribute) -> bool:
    return value is OptimizationHintsAttr()


def _has_no_entries(value: Attribute) -> bool:
    return isinstance(value, ArrayAttr) and all(entry is DictionaryAttr() for entry in value)


def _promises_nothing(value: Attribute) -> bool:
    return isinstance(value, DenseArrayAttr) and not any(value.values)


SAYING_NOTHING: dict[str, Callable[[Attribute], bool]] = {
    HINTS: _is_empty_hints,
    "arg_attrs": _has_no_entries,
    "res_attrs": _has_no_entries,
    "inbounds": _promises_nothing,
}
"""Attributes by name, and whether a value means the same as no attribute: some forms of a module write them.
"""
