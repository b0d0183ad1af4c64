"""The hooks of an operation class in the text format.  All of it is optional and looked up by name.

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

Further hooks:

* ``has_custom_form()``: whether the custom form can show this operation; without the hook it can show all of the class;
* ``default_dialect``: the dialect whose prefix operations directly inside this one's regions may leave out;
* ``text_stands_alone``: whether, without regions and successors, the text follows from attributes, types and names of
  operands alone, and the operation from its text if ``parse_custom`` looks its operands up by one `resolve_all`; such
  operations are printed and parsed fast (see `tilewright.ir.text.templates`, `tilewright.ir.text.repeats`).  An
  ``assembly_format`` of MLIR's own elements is known to;
* ``header_stands_alone``: whether the text before its only region, the region and the names in the text are the
  whole operation, if nothing follows the region; such lines are parsed fast (see `tilewright.ir.text.repeats`);
* ``hides_argument_locations``: whether the custom form has no place for the locations of block arguments; a tuple says
  so of the regions at these positions;
* ``result_name_hints()``: one name for each result; None leaves a result unnamed, and a name at a position n > 0 starts
  a group; `hints_follow_from` declares the source of the result, so that it can be cached;
* ``block_argument_name_hints(block)``: one name for each argument of a block in the operation's regions; None leaves the
  default name.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Region
from tilewright.ir.declaration.traits import IsolatedFromAbove
from tilewright.ir.support.record import NamedTuple, Record, fresh

if TYPE_CHECKING:
    from tilewright.ir.declaration.kind import OperationKind
    from tilewright.ir.operation import Operation


class OperandUse(NamedTuple):
    """A value name in the text, not yet looked up: ``%name`` or ``%name#2``, without a ``#0``; and its
    position in the text.
    """

    name: str
    position: int


class RegionArgument(NamedTuple):
    """An entry argument that a custom form spells outside of the region. ``location`` None stands for the
    position of ``use``.
    """

    use: OperandUse
    type: Type
    location: Location | None = None


class RegionRequest(Record):
    """Asks the parser for a region in braces at the current position.

    ``arguments`` become the arguments of the entry block. A value defined outside is visible inside unless
    ``isolated``. With ``optional``, a missing opening brace gives a region without blocks. Operations of
    ``default_dialect`` may leave out the prefix. ``region`` is filled.
    """

    arguments: Sequence[RegionArgument] = ()
    isolated: bool = False
    optional: bool = False
    default_dialect: str = ""
    region: Region = fresh(default_factory=Region)


def region_request(kind: OperationKind) -> RegionRequest:
    """Return the request for a region, without named arguments, of an operation of the given kind."""
    default_dialect = hook(kind.op_class, "default_dialect") or ""
    return RegionRequest(isolated=kind.has_trait(IsolatedFromAbove), default_dialect=default_dialect)


_Hints = TypeVar("_Hints", bound=Callable[..., Sequence[str | None]])


def hints_follow_from(source: Literal["fields", "attributes"]) -> Callable[[_Hints], _Hints]:
    """Return a decorator for a method ``result_name_hints`` that declares what its result depends on, so that
    it can be cached: for the source ``attributes`` on the attributes alone, for ``fields`` on the declaration
    alone, so that all operations of a class with one result get the same hint.
    """

    def declare(hints: _Hints) -> _Hints:
        setattr(hints, "hints_follow_from", source)  # noqa: B010 - functions declare no attributes
        return hints

    return declare


CustomParse = Generator[RegionRequest, Region, "Operation"]
"""The generator that a ``parse_custom`` with regions returns."""


def hook(op: Operation | type[Operation] | None, name: str) -> Any:
    """Return the hook called `name` of an operation or op class; None if it has none, or if `op` is None."""
    return getattr(op, name, None)


class PrintOptions(Record, frozen=True, kw_only=True):
    """Choices of the printer; MLIR's flags stand in brackets.

    - ``generic``: the generic form even where there is a custom one [--mlir-print-op-generic].  Value names are then
      unique and name hints are not asked for, as in MLIR.
    - ``debug_info``: locations, with their aliases [--mlir-print-debuginfo].
    - ``use_local_scope``: no aliases; everything is spelt where it is used [--mlir-print-local-scope].
    - ``unique_names``: sibling regions do not reuse value names [--mlir-print-unique-ssa-ids].
    - ``names_from_locations``: a value is called as the name in its location, if there is one
      [--mlir-use-nameloc-as-prefix]: so programs keep the names that their variables have in the source.
    - ``hex_elements_above``: dense data with more elements prints as one hexadecimal string
      [--mlir-print-elementsattrs-with-hex-if-larger]; None never does.
    - ``elide_elements_above``: dense data with more elements prints as ``dense_resource<__elided__>``, which no
      parser reads back [--mlir-elide-elementsattrs-if-larger]; None never does.
    - ``skip_regions``: ``{...}`` in place of regions [--mlir-print-skip-regions].
    """

    generic: bool = False
    debug_info: bool = False
    use_local_scope: bool = False
    unique_names: bool = False
    names_from_locations: bool = False
    hex_elements_above: int | None = 100
    elide_elements_above: int | None = None
    skip_regions: bool = False
