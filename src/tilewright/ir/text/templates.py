"""Text of operations whose custom form shows nothing but attributes, types and the names of operands.

Programs repeat themselves: most operations have the kind, the attributes and the types of an earlier one.  Such an
operation is printed once, with marks where names of operands stand; for the others the names are filled in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from tilewright.ir.attribute_storage import SharedAttributes
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.record import NamedTuple
from tilewright.ir.value import Value

_MARK = "\0"
"""No text has it: string literals escape it, and names of values are identifiers."""
_TYPE_OF = attrgetter("type")

PrintMarked = Callable[[Operation, dict[Value, str]], str]
"""Prints an operation with the given names for its operands; no names of results, no location."""


class _Template(NamedTuple):
    """A ``%`` format and, unless each name stands once and in order, the operands whose names it takes."""

    format: str
    order: tuple[int, ...] | None


Known = dict[Any, _Template]
"""Templates by all that the text of an operation depends on, but for the context and the names of operands."""


class Templates:
    """Templates of one printer; `text` gives the same text as printing each operation by itself."""

    __slots__ = ("_known", "_print")

    def __init__(self, print_marked: PrintMarked) -> None:
        self._print = print_marked
        self._known: defaultdict[str, Known] = defaultdict(dict)

    def known(self, context: str) -> Known:
        """The templates for a context: what else the text of operations depends on."""
        return self._known[context]

    def text(self, op: Operation, known: Known, names: Mapping[Value, str]) -> str:
        """The text of an operation without regions and successors, in a context of which the templates are known."""
        attributes: Any = op.held_attributes
        if type(attributes) is not SharedAttributes:
            attributes = tuple(attributes.items())
        operands, results = op.operands, op.results
        if len(operands) == 2 and len(results) == 1:  # most often
            (a, b), (result,) = operands, results
            key = (op.kind, attributes, a.type, b.type, result.type)
            words = (names[a], names[b])
        else:
            count = len(operands)
            key = (op.kind, attributes, count, *map(_TYPE_OF, operands), *map(_TYPE_OF, results))
            words = tuple([names[value] for value in operands])
        template = known.get(key)
        if template is None:
            template = known[key] = self._make(op)
        if template.order is not None:
            words = tuple([words[index] for index in template.order])
        return template.format % words

    def _make(self, op: Operation) -> _Template:
        """Print a copy of the operation whose operands are all different."""
        values = Block([operand.type for operand in op.operands]).arguments
        types = [result.type for result in op.results]
        copy = Operation.from_parts(op.kind, values, types, dict(op.held_attributes), location=op.location)
        text = self._print(copy, {value: f"{_MARK}{index}{_MARK}" for index, value in enumerate(values)})
        parts = text.split(_MARK)
        order = tuple(map(int, parts[1::2]))
        literals = [part.replace("%", "%%") for part in parts[::2]]
        return _Template("%s".join(literals), None if _is_plain(order, len(values)) else order)


def _is_plain(order: Sequence[int], count: int) -> bool:
    return list(order) == list(range(count))
