"""The ``custom<>`` parts of LLVM assembly formats, comparisons and stack memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common import constraints, operand_lists, short_kinds, signatures
from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.rules.common import member_type
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import IntegerType, VectorType, i32, i64
from tilewright.ir.declaration import enum_attribute, kind as declaration_kind, traits as ir_traits
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.dialects.llvm.ops.memory import AllocaOp
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


class AddressIndices:
    """The directive for the positions of ``getelementptr``, which are operands and constants: ``%i, 1, 2``."""

    def at(self, parser: Any) -> bool:
        """Return True: there always are indices."""
        return True

    def print(self, printing: Any, dynamic: Any, static: Any) -> None:
        """Print the positions, with an operand for each dynamic position."""
        printer: Printer = printing.printer
        operands = iter(printing.op.dynamicIndices)
        for number, position in enumerate(printing.op.rawConstantIndices):
            printer.write(", " if number else "")
            if position == llvm_types.DYNAMIC_POSITION:
                printer.print_value(next(operands))
            else:
                printer.write(str(position))

    def parse(self, parsing: Any, dynamic: Any, static: Any) -> None:
        """Parse the positions, ``%i, 1, 2``: operands and constants. Raises `ParseError` for a constant that
        does not fit 32 bits.
        """
        parser: Parser = parsing.parser
        uses: list[OperandUse] = []
        positions: list[int] = []
        while True:
            start = parser.position
            use = parser.optional_operand()
            positions.append(llvm_types.DYNAMIC_POSITION if use is not None else parser.parse_integer())
            uses.extend([use] if use is not None else [])
            if not -(1 << 31) <= positions[-1] < 1 << 31:
                raise parser.error("integer value too large", start)
            if not parser.accept(","):
                break
        parsing.uses[dynamic.name] = uses
        parsing.attributes[static.name] = builtin_attributes.DenseArrayAttr(i32, tuple(positions))


class InferredType:
    """The directive for a type that the text does not have: the operation's class infers it."""

    def at(self, parser: Any) -> bool:
        """Return True: the directive never prints anything."""
        return True

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print nothing: the type is inferred."""

    def parse(self, parsing: Any, *arguments: Any) -> None:
        """Parse nothing: the type is inferred."""


class MemberType(InferredType):
    """The directive for the type of a member, which is inferred from the container's type and the path to the
    member.
    """

    def parse(self, parsing: Any, *arguments: Any) -> None:
        """Parse nothing, and set the type of the operand ``value``, if the directive is about it, to the type
        of the member. Raises `ParseError` if there is no such member.
        """
        parser: Parser = parsing.parser
        try:
            type = member_type(parsing.types["container"][0], parsing.attributes["position"].values)
        except ir_traits.VerifyError as problem:
            raise parser.error(problem.message) from problem
        if arguments[0].arguments[0].name == "value":
            parsing.types["value"] = [type]


class LinkageWord:
    """The directive for the linkage of a symbol, a bare word; ``external`` may be omitted."""

    def at(self, parser: Any) -> bool:
        """Return True: the linkage may be omitted, so no token shows whether it is there."""
        return True

    def print(self, printing: Any, linkage: Any) -> None:
        """Print the spelling of the linkage."""
        printing.printer.write(enum_attribute.spelling(printing.op.linkage))

    def parse(self, parsing: Any, linkage: Any) -> None:
        """Parse the linkage, such as ``internal``; it is ``external`` if no such word is next."""
        found = short_kinds.optional_case(parsing.parser, llvm_enums.Linkage)
        parsing.attributes["linkage"] = llvm_enums.LinkageAttr(found or llvm_enums.Linkage.EXTERNAL)


class SwitchCases:
    """The directive for the cases of a switch, ``[ -3: ^bb2(%x : i32), 7: ^bb1 ]``, with one line for each
    case.
    """

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a bracket."""
        return parser.at("[")

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print the cases, one a line: the value as a signed number, the block and its operands. An empty
        list is printed as ``[`` and ``]``.
        """
        printer, op = printing.printer, printing.op
        printer.write("[")
        printer.print_newline()
        values = signed_values(op)
        groups = op.case_operands()
        for number, (value, block) in enumerate(zip(values, op.caseDestinations, strict=False)):
            if number:
                printer.write(",")
                printer.print_newline()
            printer.write(f"  {value}: ")
            operand_lists.print_target(printer, block, groups[number])
        if values:
            printer.print_newline()
        printer.write("]")

    def parse(
        self,
        parsing: Any,
        flag_type: Any,
        case_values: Any,
        cases: Any,
        case_operands: Any,
        case_types: Any,
    ) -> None:
        """Parse the cases with their blocks and block operands, ``[ -3: ^bb2(%x : i32), 7: ^bb1 ]``. Raises
        `ParseError` for a value that does not fit the type of the switch's value.
        """
        parser: Parser = parsing.parser
        flag = parsing.types["value"][0]
        numbers: list[int] = []
        targets: list[tuple[ir_block.Block, list[OperandUse], list[Type]]] = []
        parser.expect("[")
        while not parser.accept("]"):
            if numbers:
                parser.expect(",")
            numbers.append(_case_value(parser, flag))
            parser.expect(":")
            targets.append(operand_lists.parse_target(parser))
        if numbers:
            same = len(set(numbers)) == 1
            values = builtin_attributes.dense(
                VectorType((len(numbers),), flag), numbers[:1] if same else numbers
            )
            parsing.attributes[case_values.name] = values
        sizes = [len(uses) for _, uses, _ in targets]
        parsing.attributes["case_operand_segments"] = builtin_attributes.dense_integers(sizes, i32)
        parsing.successors[cases.name] = [block for block, _, _ in targets]
        parsing.uses[case_operands.name] = [use for _, uses, _ in targets for use in uses]
        parsing.types[case_operands.name] = [type for _, _, types in targets for type in types]


def signed_values(op: Any) -> list[int]:
    """Return the value of each case of a switch, as a signed number; an empty list if the switch has no
    cases.
    """
    if op.case_values is None:
        return []
    patterns: list[int] = op.case_values.patterns()
    if op.case_values.is_splat:
        patterns = patterns[:1] * op.case_values.count
    half = 1 << op.case_values.element_type.width >> 1
    return [(pattern ^ half) - half for pattern in patterns]


def _case_value(parser: Parser, flag: Type) -> int:
    start = parser.position
    value = parser.parse_integer()
    width = flag.width if isinstance(flag, IntegerType) else 0
    if not -(1 << width >> 1) <= value < 1 << width:
        raise parser.error(f"case value {value} does not fit in {flag}", start)
    return value


def print_comparison(op: Any, printer: Printer) -> None:
    """Print a comparison: `` "slt" %a, %b {...} : i32``."""
    printer.write(" ")
    printer.print_string(enum_attribute.spelling(op.predicate))
    printer.write(" ")
    printer.print_operands(op.operands)
    print_attributes(op, printer, ("predicate",))
    printer.write(" : ")
    printer.print_type(op.lhs.type)


def print_attributes(op: Operation, printer: Printer, elided: Sequence[str]) -> None:
    """Print the attribute dictionary without the attributes `elided`, and without empty fast-math flags."""
    hidden = [*elided]
    if op.attributes.get("fastmathFlags") is NO_FLAGS:
        hidden.append("fastmathFlags")
    printer.print_attribute_dictionary(op.attributes, elided=hidden)


def parse_comparison(kind: declaration_kind.OperationKind, parser: Parser, predicates: Any) -> Operation:
    """Parse ``"slt" %a, %b {...} : i32``, and return the operation of ``kind``, whose result is an i1 or a
    vector of i1. ``predicates`` is the enumeration of the predicates. Raises `ParseError` for other text, and
    for a type that LLVM IR does not have.
    """
    start = parser.position
    word = parser.parse_string()
    found = next((case for case in predicates if enum_attribute.spelling(case) == word), None)
    if found is None:
        raise parser.error(f"'{word}' is an incorrect value of the 'predicate' attribute", start)
    uses = [parser.parse_operand()]
    parser.expect(",")
    uses.append(parser.parse_operand())
    attributes = parser.optional_attribute_dictionary()
    parser.expect(":")
    type_start = parser.position
    type = parser.parse_type()
    if not llvm_types.is_compatible(type):
        raise parser.error("expected LLVM dialect-compatible type", type_start)
    attributes["predicate"] = builtin_attributes.IntegerAttr(i64, found.value)
    operands = parser.resolve_all(uses, [type, type], start)
    return Operation.from_parts(
        kind, operands, [constraints.i1_of_same_shape(type)], signatures.with_defaults(kind, attributes)
    )


def print_alloca(op: AllocaOp, printer: Printer) -> None:
    """Print an `alloca`: `` inalloca %n x f32 {alignment = 4 : i64} : (i32) -> !llvm.ptr``."""
    printer.write(" inalloca " if op.inalloca else " ")
    printer.print_value(op.arraySize)
    printer.write(" x ")
    printer.print_type(op.elem_type)
    hidden = ("elem_type", "inalloca", *(() if op.alignment else ("alignment",)))
    printer.print_attribute_dictionary(op.held_attributes, elided=hidden)
    printer.write(" : ")
    printer.print_functional_type(op.operand_types, [value.type for value in op.results])


def parse_alloca(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse ``inalloca %n x f32 {alignment = 4 : i64} : (i32) -> !llvm.ptr``, and return the operation of
    ``kind``. An alignment of 0 is dropped. Raises `ParseError` for other text.
    """
    attributes: dict[str, Attribute] = (
        {"inalloca": builtin_attributes.UNIT} if parser.accept_keyword("inalloca") else {}
    )
    use = parser.parse_operand()
    if not parser.accept_keyword("x"):
        raise parser.unexpected("'x'")
    attributes["elem_type"] = builtin_attributes.TypeAttr(parser.parse_type())
    attributes.update(parser.optional_attribute_dictionary())
    if getattr(attributes.get("alignment"), "value", 1) == 0:
        del attributes["alignment"]
    parser.expect(":")
    start = parser.position
    inputs, results = parser.parse_functional_type()
    if len(inputs) != 1 or len(results) != 1 or not isinstance(results[0], llvm_types.LLVMPointerType):
        raise parser.error("expected trailing function type with one argument and one result", start)
    return Operation.from_parts(kind, [parser.resolve(use, inputs[0])], results, attributes)


def print_trap(op: Operation, printer: Printer) -> None:
    """Print the failure kind of a sanitizer trap (`llvm.intr.ubsantrap`), `` <{failureKind = 3 : i8}>``, and
    the other attributes.
    """
    printer.write(" <{failureKind = ")
    printer.print_attribute(op.attributes["failureKind"])
    printer.write("}>")
    printer.print_attribute_dictionary(op.attributes, elided=("failureKind",))


def parse_trap(kind: declaration_kind.OperationKind, parser: Parser) -> Operation:
    """Parse the failure kind of a sanitizer trap, ``<{failureKind = 3 : i8}>``, which may be absent, and an
    attribute dictionary. Return the operation of ``kind``, without operands and results.
    """
    attributes: dict[str, Attribute] = {}
    if parser.accept("<"):
        attributes.update(parser.parse_attribute_dictionary())
        parser.expect(">")
    attributes.update(parser.optional_attribute_dictionary())
    return Operation.from_parts(kind, (), (), attributes)


def print_bundles(printer: Printer, groups: Sequence[Sequence[Value]], tags: Sequence[Any]) -> None:
    """Print operand bundles, at least one, with their tags: ``["tag"(%x : i32), "other"()]``. `groups` has
    the operands of each bundle, `tags` its tag.
    """
    for number, (values, tag) in enumerate(zip(groups, tags, strict=False)):
        printer.write(", " if number else "[")
        printer.print_string(tag.value)
        printer.write("(")
        if values:
            printer.print_operands(values)
            printer.write(" : ")
            printer.print_value_types(values)
        printer.write(")")
    printer.write("]")


class Bundles:
    """The operand bundles of a call, parsed by the constructor, none if no bracket is next: `uses` and
    `types` of all operands, and for each bundle its number of operands, `sizes`, and its tag, `tags`.
    """

    def __init__(self, parser: Parser) -> None:
        self.uses: list[OperandUse] = []
        self.types: list[Type] = []
        self.sizes: list[int] = []
        self.tags: list[Attribute] = []
        if parser.accept("["):
            while not parser.accept("]"):
                if self.tags:
                    parser.expect(",")
                self._parse_one(parser)

    def _parse_one(self, parser: Parser) -> None:
        self.tags.append(builtin_attributes.StringAttr(parser.parse_string()))
        parser.expect("(")
        start = parser.position
        uses: list[OperandUse] = []
        types: list[Type] = []
        if not parser.accept(")"):
            uses = parser.parse_operands()
            parser.expect(":")
            types = parser.parse_types()
            parser.expect(")")
        if len(uses) != len(types):
            number = len(self.sizes)
            message = (
                f"expected {len(uses)} types for operand bundle operands for operand bundle #{number}, "
                f"but actually got {len(types)}"
            )
            raise parser.error(message, start)
        self.uses.extend(uses)
        self.types.extend(types)
        self.sizes.append(len(uses))

    def store(self, attributes: dict[str, Attribute]) -> None:
        """Add the sizes and tags of the bundles to `attributes`."""
        attributes["op_bundle_sizes"] = builtin_attributes.DenseArrayAttr(i32, tuple(self.sizes))
        if self.tags:
            attributes["op_bundle_tags"] = builtin_attributes.ArrayAttr(tuple(self.tags))


def bundle_operands(op: Any) -> list[Sequence[Value]]:
    """Return the operands of each bundle of a call, in order."""
    groups: list[Sequence[Value]] = []
    start = 0
    for size in op.op_bundle_sizes:
        groups.append(op.op_bundle_operands[start : start + size])
        start += size
    return groups


class BundlesDirective:
    """The directive ``custom<OpBundles>(...)`` of `llvm.intr.assume`: ``["tag"(%x : i32), "other"()]``."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a bracket."""
        return parser.at("[")

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print the operand bundles with their tags."""
        op = printing.op
        print_bundles(printing.printer, bundle_operands(op), op.op_bundle_tags or ())

    def parse(self, parsing: Any, operands: Any, types: Any, tags: Any) -> None:
        """Parse the operand bundles, ``["tag"(%x : i32), "other"()]``; none if no bracket is next."""
        found = Bundles(parsing.parser)
        parsing.uses[operands.name], parsing.types[operands.name] = found.uses, found.types
        found.store(parsing.attributes)


NO_FLAGS = llvm_enums.FastMathFlagsAttr(llvm_enums.FastMathFlags.NONE)
"""The fast-math flags of an operation that allows no transformation."""
DIRECTIVES: dict[str, Any] = {
    "GEPIndices": AddressIndices(),
    "ShuffleType": InferredType(),
    "InsertExtractValueElementType": MemberType(),
    "LLVMLinkage": LinkageWord(),
    "SwitchOpCases": SwitchCases(),
    "OpBundles": BundlesDirective(),
}
"""The directives by the names that assembly formats have for them."""
