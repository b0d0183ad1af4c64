"""The base of all Tile IR operations: opcode, version, chapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from tilewright.dialects.cuda_tile.syntax.completeness import is_complete
from tilewright.dialects.cuda_tile.syntax.control import CONTROL_DIRECTIVES
from tilewright.dialects.cuda_tile.syntax.custom import DIALECT, DIRECTIVES
from tilewright.dialects.cuda_tile.syntax.memory import MEMORY_DIRECTIVES
from tilewright.dialects.cuda_tile.version import V13_1, Version
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hints_follow_from


class TileOp(Operation):
    """Base of the operations of ``cuda_tile``.

    ``opcode`` is the number in bytecode, ``since`` the first version with the operation, ``group`` its
    chapter on the reference page, ``examples`` pieces of generic text for that page. ``assembly_format`` is
    the custom syntax. It omits attributes with the values of ``format_defaults`` and the types of the
    operands in ``format_types``; ``result_names`` are the names of results in text.
    """

    opcode: ClassVar[int]
    since: ClassVar[Version]
    group: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()
    default_dialect: ClassVar[str] = DIALECT
    format_dialect: ClassVar[str] = DIALECT
    format_directives: ClassVar[Mapping[str, Any]] = {
        **DIRECTIVES,
        **MEMORY_DIRECTIVES,
        **CONTROL_DIRECTIVES,
    }
    format_defaults: ClassVar[Mapping[str, Attribute]] = {}
    format_types: ClassVar[Mapping[str, Type]] = {}
    result_names: ClassVar[tuple[str, ...]] = ()
    text_stands_alone: ClassVar[bool] = True
    hides_argument_locations: ClassVar[bool] = False

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        """Return the operand types that the custom syntax omits, by field: the types in ``format_types``."""
        return {name: [type] * len(parsing.uses.get(name, ())) for name, type in cls.format_types.items()}

    def has_custom_form(self) -> bool:
        """Return whether the custom syntax can represent the operation without loss."""
        return is_complete(self, self.spelled_argument_types()) and all(
            value.type is type
            for name, type in self.format_types.items()
            for value in self.kind.field_values(self, name)
        )

    def spelled_argument_types(self) -> Sequence[Type] | None:
        """Return the types of block arguments that the text omits because it implies them; None if the text
        spells them.
        """
        return None

    @hints_follow_from("fields")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return name hints for the results: the class's ``result_names``, or with several results the names
        of the fields; otherwise none.
        """
        if self.result_names:
            return self.result_names if self.results else ()
        fields = self.kind.results
        return [field.name for field in fields] if len(fields) > 1 else ()


_Class = TypeVar("_Class", bound=type[Any])


def tile_op(opcode: int, group: str, since: Version = V13_1) -> Callable[[_Class], _Class]:
    """Return a decorator that sets the opcode, chapter and version of an operation class."""

    def decorate(op_class: _Class) -> _Class:
        op_class.opcode = opcode
        op_class.group = group
        op_class.since = since
        return op_class

    return decorate
