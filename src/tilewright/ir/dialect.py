"""A dialect: a named set of operations, types and attributes, with the hooks that others call on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.interface import Interface, InterfaceMap

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation
    from tilewright.ir.text.parser import AttributeParser


class Dialect:
    """What a dialect registers.

    ``types`` and ``attributes`` are classes whose ``name`` starts with the dialect's name.  ``type_keywords`` are
    spellings that need no prefix inside the dialect's own syntax.
    """

    def __init__(
        self,
        name: str,
        *,
        operations: Iterable[type[Operation]] = (),
        types: Iterable[type[Type]] = (),
        attributes: Iterable[type[Attribute]] = (),
        doc: str = "",
        parse_type: Callable[[AttributeParser, str], Type | None] | None = None,
        parse_attribute: Callable[[AttributeParser, str], Attribute | None] | None = None,
        materialize_constant: Callable[[Attribute, Type, Any], Operation | None] | None = None,
        canonicalization_patterns: Callable[[], Sequence[Any]] | None = None,
        verify_operation_attribute: Callable[[Operation, str, Attribute], None] | None = None,
        verify_region_argument_attribute: Callable[[Operation, int, str, Attribute], None] | None = None,
        interfaces: Iterable[Interface] = (),
        depends_on: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.doc = doc
        self.operations = tuple(operations)
        self.types = {type_class.name.partition(".")[2]: type_class for type_class in types}
        self.attributes = {cls.name.partition(".")[2]: cls for cls in attributes}
        self.parse_type = parse_type
        self.parse_attribute = parse_attribute
        self.materialize_constant = materialize_constant
        self.canonicalization_patterns = canonicalization_patterns
        self.verify_operation_attribute = verify_operation_attribute
        self.verify_region_argument_attribute = verify_region_argument_attribute
        self.interfaces = InterfaceMap(interfaces)
        self.depends_on = tuple(depends_on)

    def __repr__(self) -> str:
        return f"<Dialect {self.name}: {len(self.operations)} operations>"
