"""Text of operations whose form shows nothing but attributes, types and the names of values.

Programs repeat themselves: most operations have the kind, the attributes and the types of an earlier one.
Such an operation is spelt once, with holes where names of values stand; for equal operations only the names
are looked up. Templates are kept for later printers of the same style: a program is often printed more than
once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.support.record import NamedTuple

_MARK = "\0"
"""A character that marks the names of values in printed text. No other text has it: string literals escape
it.
"""
_TYPE_OF = attrgetter("type")
_MOST_KEPT = 1 << 14
"""The maximum number of templates kept for a style; then all are dropped."""
_LONGEST_KEPT = 1 << 9
"""The maximum length of the text of a template that later printers reuse. Longer texts have large constants,
which should not outlive their program.
"""

Spell = Callable[[Operation, Sequence[str]], str]
"""A function that returns the text of an operation, given the names of its operands, without result names and
location.
"""


class Template(NamedTuple):
    """The text of an operation as a ``%`` format, with a ``%s`` for the name of the result, if there is
    exactly one, and for each operand name. The names of several results are not in the text.

    ``order`` has the index of the operand for each operand name; None if each operand occurs once and in
    order.
    """

    format: str
    order: tuple[int, ...] | None


Known = dict[Any, Template]
"""Maps keys (see `template_key`) to templates, for one style and context."""

_kept: defaultdict[Any, defaultdict[str, Known]] = defaultdict(lambda: defaultdict(dict))
"""Templates of all printers, by style and context."""


def template_key(op: Operation, attributes: Any) -> Any:
    """Return a key with everything that the text of an operation without regions and successors depends on,
    except names; ``attributes`` stands for its attributes. The printer makes other keys for two operands with
    one result.
    """
    operands, results = op.operands, op.results
    return (op.kind, attributes, len(operands), *map(_TYPE_OF, operands), *map(_TYPE_OF, results))


class Templates:
    """The templates of one printer: texts of operations with gaps for the names of values. ``spell`` returns
    the text of an operation; ``style`` is a key for the printer's options. Printers with the same style share
    templates; None keeps them in this printer.
    """

    __slots__ = ("_kept", "_known", "_spell")

    def __init__(self, spell: Spell, style: Any) -> None:
        self._spell = spell
        self._kept = _kept[style] if style is not None else None
        self._known: defaultdict[str, Known] = defaultdict(dict)

    def known(self, context: str) -> Known:
        """Return the templates for a context, by key; a context is a text on which the text of operations
        depends as well, such as the default dialect.
        """
        return self._known[context]

    def make(self, op: Operation, context: str, key: Any) -> Template:
        """Return the template of `op`, and record it for the context under `key`; it is made unless a printer
        of the style has made it before.
        """
        known = self._known[context]
        if self._kept is None:
            template = known[key] = self._spelt(op)
            return template
        kept = self._kept[context]
        lasting = template_key(op, tuple(op.held_attributes.items()))
        template = kept.get(lasting)
        if template is None:
            template = self._spelt(op)
            if len(template.format) <= _LONGEST_KEPT:
                if len(kept) >= _MOST_KEPT:
                    kept.clear()
                kept[lasting] = template
        known[key] = template
        return template

    def _spelt(self, op: Operation) -> Template:
        """Return the template of an operation, by printing it with marks as the names of its operands.

        If a value is several of its operands, a copy with distinct operands is printed.
        """
        operands = op.operands
        if len({*operands}) != len(operands):
            values = Block([operand.type for operand in operands]).arguments
            types = [result.type for result in op.results]
            op = Operation.from_parts(op.kind, values, types, dict(op.held_attributes), location=op.location)
        text = self._spell(op, [f"{_MARK}{index}{_MARK}" for index in range(len(operands))])
        parts = text.replace("%", "%%").split(_MARK)
        order = tuple(map(int, parts[1::2]))
        left = "%s = " if len(op.results) == 1 else ""
        return Template(left + "%s".join(parts[::2]), None if _is_plain(order, len(operands)) else order)


def _is_plain(order: Sequence[int], count: int) -> bool:
    return list(order) == list(range(count))
