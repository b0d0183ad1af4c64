"""What an operation class may offer to the text format.  All of it is optional and looked up by name.

An op class without these hooks has the generic form.  With ``print_custom`` and ``parse_custom`` it has a custom
form, used unless the generic one is asked for::

    class ForOp(Operation, name="loops.for"):
        def print_custom(self, printer: Printer) -> None:
            printer.write(" ")
            printer.print_value(self.count)
            printer.write(" ")
            printer.print_region(self.body, print_entry_arguments=False)

        @classmethod
        def parse_custom(cls, parser: Parser) -> CustomParse:
            count = parser.resolve(parser.parse_operand(), index)
            body = yield RegionRequest()
            return Operation.from_parts(cls.op_kind, [count], regions=[body])

Neither direction recurses into regions.  ``print_region`` only takes note of the region; it is printed at that
place after the hook has returned.  ``parse_custom`` is a generator that yields a `RegionRequest` wherever a region
stands in the text and is resumed with the parsed region; without regions it may just return the operation.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


class OperandUse(NamedTuple):
    """A value name in the text, not yet looked up: ``%name`` or ``%name#2``."""

    name: str
    position: int


class RegionArgument(NamedTuple):
    """An entry argument that a custom form spells outside of the region."""

    use: OperandUse
    type: Type
    location: Location | None = None


@dataclass(slots=True)
class RegionRequest:
    """Asks the parser for a region in braces at the current position.

    ``arguments`` become the arguments of the entry block.  A value defined outside is visible inside unless
    ``isolated``.  ``optional`` accepts that there is no opening brace and answers a region without blocks.
    """

    arguments: Sequence[RegionArgument] = ()
    isolated: bool = False
    optional: bool = False
    default_dialect: str = ""
    region: Region = field(default_factory=Region)


CustomParse = Generator[RegionRequest, Region, "Operation"]
"""What a ``parse_custom`` with regions returns when it is written as a generator."""


class CustomSyntax(Protocol):
    """Custom form of an operation.

    ``default_dialect`` is the dialect whose prefix operations directly inside this one's regions may leave out.
    """

    default_dialect: str
    prints_no_surroundings: bool
    """Whether, without regions and successors, the text follows from attributes, types and names of operands alone.

    Such operations are printed fast: see `tilewright.ir.text.templates`.
    """

    hides_argument_locations: bool
    """Whether the custom form has no place for the locations of block arguments."""

    def print_custom(self, printer: Printer) -> None:
        """Print what stands after the operation's name."""
        ...

    def has_custom_form(self) -> bool:
        """Whether the custom form can show this operation; without this hook it can show all of the class."""
        ...

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation | CustomParse:
        """Parse what `print_custom` printed; result names, trailing location and insertion are the parser's."""
        ...


class NamedResults(Protocol):
    """Chooses the names of results: None leaves a result unnamed; a name at position n > 0 starts a group."""

    def result_name_hints(self) -> Sequence[str | None]:
        """One hint per result."""
        ...


class NamedBlockArguments(Protocol):
    """Chooses the names of the arguments of blocks in the operation's regions."""

    def block_argument_name_hints(self, block: Block) -> Sequence[str | None]:
        """One hint per argument; None leaves the default name."""
        ...


def hook(op: Operation | type[Operation] | None, name: str) -> Any:
    """A hook of an operation or op class, or None."""
    return getattr(op, name, None)
