"""Traits: properties of operations that code may ask for and the verifier enforces.

A trait is a small immutable object listed in an op class's ``traits``.  ``verify(op)`` raises `VerifyError` when
the operation does not live up to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.ir.attribute import Location, Type

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation


class VerifyError(Exception):
    """A rule of an operation is broken.

    ``notes`` are pairs of a text and its location, and ``hint`` is a way to mend the problem, or empty.
    ``prefix`` False suppresses the ``'name' op `` before the message (the message is complete in itself).
    ``op`` is the operation at fault if it is not the one whose rules are being checked; else None.
    ``consequence`` is a second message, of the rule that contains the broken one; empty if there is none.
    """

    def __init__(
        self,
        message: str,
        *,
        notes: tuple[tuple[str, Location], ...] = (),
        hint: str = "",
        prefix: bool = True,
        op: Operation | None = None,
        consequence: str = "",
    ) -> None:
        super().__init__(message)
        self.consequence = consequence
        self.message = message
        self.notes = notes
        self.hint = hint
        self.prefix = prefix
        self.op = op


class StructureError(VerifyError):
    """Blocks, regions, terminators or symbols do not have the shape that the enclosing operation requires."""


class Trait:
    """Base of all traits: by default nothing is checked.

    ``local`` says that `verify` looks at nothing but attributes and the types of operands and results, so
    that it has the same result for all operations that agree in them.
    """

    local: ClassVar[bool] = False

    def verify(self, op: Operation) -> None:
        """Raise `VerifyError` if the operation breaks the trait; by default nothing is checked."""

    def verify_regions(self, op: Operation) -> None:
        """Verify the part of the rule that concerns regions, after the operations inside were verified.

        Raises `VerifyError`.
        """

    @property
    def description(self) -> str:
        """The text for the reference page, by default the name of the class."""
        return type(self).__name__


class SameVariadicResultSize(Trait):
    """All variadic groups of results have the same size, so that no attribute has to store their sizes."""


class SameVariadicOperandSize(Trait):
    """All variadic groups of operands have the same size, so that no attribute has to store their sizes."""

    def verify(self, op: Operation) -> None:
        if sum(op.kind.operand_sizes(op)) != len(op.operands):
            raise VerifyError("expects all groups of operands to be of one size")


class Pure(Trait):
    """No side effect, and safe to execute speculatively."""


class NoMemoryEffect(Trait):
    """Reads and writes no memory, but may not be executed speculatively (division, shape queries)."""


class RecursiveMemoryEffects(Trait):
    """Has the effects of the operations in its regions."""


class Terminator(Trait):
    """An operation that ends its block."""

    def verify(self, op: Operation) -> None:
        block = op.parent
        if block is not None and block.last is not op:
            raise StructureError("must be the last operation in the parent block")


class IsolatedFromAbove(Trait):
    """Operations inside may not use values from outside."""


class SymbolTable(Trait):
    """Holds symbols in its single-block region: their names are unique, and uses of them are checked."""

    def verify_regions(self, op: Operation) -> None:
        symbols: dict[str, Operation] = {}
        for symbol in op.regions[0].blocks[0] if op.regions and op.regions[0].blocks else ():
            name = symbol_name(symbol)
            if name is not None and symbols.setdefault(name, symbol) is not symbol:
                note = ("see existing symbol definition here", symbols[name].location)
                raise StructureError(
                    f"redefinition of symbol named '{name}'", notes=(note,), prefix=False, op=symbol
                )
        for user in _symbol_users(op):
            for trait in user.kind.traits:
                if isinstance(trait, SymbolUser):
                    trait.check(user, symbols)


def _symbol_users(table: Operation) -> list[Operation]:
    """Return the operations inside ``table`` that have the trait `SymbolUser`, nested ones included, without
    the contents of nested symbol tables.
    """
    users: list[Operation] = []
    pending: list[Operation] = [table]
    while pending:
        nests: list[Operation] = []
        for block in [block for region in pending.pop().regions for block in region.blocks]:
            op = block.first
            while op is not None:
                traits = op.kind.trait_classes
                if SymbolUser in traits:
                    users.append(op)
                if op.regions and SymbolTable not in traits:
                    nests.append(op)
                op = op.next
        pending.extend(reversed(nests))
    return users


class SymbolUser(Trait):
    """Refers to a symbol of the enclosing symbol table. ``check`` gets the operation and the symbols by name,
    and raises `VerifyError` for a bad reference.
    """

    def __init__(self, check: Callable[[Operation, Mapping[str, Operation]], None]) -> None:
        self.check = check


class Symbol(Trait):
    """Has a name in the enclosing symbol table (attribute ``sym_name``), which is the operation right around it."""

    def verify(self, op: Operation) -> None:
        if symbol_name(op) is None:
            raise StructureError("requires string attribute 'sym_name'")
        check_symbol_parent(op)


def check_symbol_parent(op: Operation) -> None:
    """Raise `StructureError` unless a symbol is directly in a symbol table, or in no operation, or in an
    unregistered one.
    """
    parent = op.parent_op
    if parent is not None and parent.kind.is_registered and not parent.kind.has_trait(SymbolTable):
        raise StructureError("symbol's parent must have the SymbolTable trait")


def symbol_name(op: Operation) -> str | None:
    """Return the symbol name of an operation, its attribute ``sym_name``; None if it has none."""
    attribute: Any = op.held_attributes.get("sym_name")
    return getattr(attribute, "value", None)


class Commutative(Trait):
    """The two operands may be swapped."""


class Idempotent(Trait):
    """``op(x, x)`` is ``x``, or, with one operand, ``op(op(x))`` is ``op(x)``."""


class ConstantLike(Trait):
    """Produces a value known at compile time, held in attribute ``value``.

    The trait checks nothing. Folds do not know the value of operations without this attribute, such as
    ``llvm.mlir.undef`` and addresses of symbols.
    """


class Elementwise(Trait):
    """Computes each element of the result from the elements at the same index; derived traits add rules on
    types.
    """

    local = True


class SingleBlock(Trait):
    """Every region has at most one block, which is not empty unless the operation has the trait
    `NoTerminator`.
    """

    def verify(self, op: Operation) -> None:
        for number, region in enumerate(op.regions):
            if len(region.blocks) > 1:
                raise StructureError(f"expects region #{number} to have 0 or 1 blocks")
            if region.blocks and region.blocks[0].first is None and not op.has_trait(NoTerminator):
                raise StructureError("expects a non-empty block")


class NoRegionArguments(Trait):
    """Blocks of the regions take no arguments."""

    def verify(self, op: Operation) -> None:
        for number, region in enumerate(op.regions):
            if region.blocks and region.blocks[0].arguments:
                raise VerifyError(f"region #{number} should have no arguments")


class NoTerminator(Trait):
    """Blocks inside need not end in a terminator."""


class HasParent(Trait):
    """May be only directly inside of one of the operations called ``names``, or in no operation."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def verify(self, op: Operation) -> None:
        parent = op.parent_op
        if parent is None or parent.name in self.names:
            return
        listed = ", ".join(self.names)
        raise StructureError(f"expects parent op {'to be one of ' if len(self.names) > 1 else ''}'{listed}'")

    @property
    def description(self) -> str:
        return f"HasParent<{', '.join(self.names)}>"


class ImplicitTerminator(Trait):
    """The text form may omit the terminator ``name`` if it has no operands; blocks that are not empty end in
    it or in an operation of ``also``.

    In the custom form of an operation that ``fills``, ``{}`` is a block with only the terminator.
    """

    def __init__(self, name: str, *also: str, fills: bool = True) -> None:
        self.name = name
        self.also = also
        self.fills = fills

    def verify_regions(self, op: Operation) -> None:
        for region in op.regions:
            for block in region.blocks:
                last = block.last
                if last is None or last.name == self.name or last.name in self.also:
                    continue
                note = f"in custom textual format, the absence of terminator implies '{self.name}'"
                message = f"expects regions to end with '{self.name}', found '{last.name}'"
                raise VerifyError(message, notes=((note, op.location),))

    @property
    def description(self) -> str:
        return f"ImplicitTerminator<{self.name}>"


class TypeRule(Trait):
    """A rule on nothing but the types of operands and results. It is checked together with their constraints,
    in the order of the traits.
    """


class Matching(TypeRule):
    """All values of the named operand and result fields agree in ``key``, a property computed from their
    types; ``words`` names it in the error.

    ``shown`` are the names that diagnostics use, if they differ from the names of the fields.
    """

    def __init__(
        self, words: str, key: Callable[[Type], Any], *fields: str, shown: tuple[str, ...] = ()
    ) -> None:
        self.words = words
        self.key = key
        self.fields = fields
        self.shown = shown or fields

    def verify(self, op: Operation) -> None:
        values = [value for name in self.fields for value in op.kind.field_values(op, name)]
        if len({self.key(value.type) for value in values}) > 1:
            raise self.failure()

    def failure(self) -> VerifyError:
        """Return the error for the broken rule, to be raised."""
        return VerifyError(f"failed to verify that all of {self.description}")

    @property
    def description(self) -> str:
        return f"{{{', '.join(self.shown)}}} have {self.words}"


class SameTypes(Matching):
    """All named fields have the same type; variadic ones the same list of types. ``shown`` are the names of
    the fields in the error, by default ``fields``.
    """

    def __init__(self, *fields: str, shown: tuple[str, ...] = ()) -> None:
        super().__init__("same type", lambda type: type, *fields, shown=shown)

    def verify(self, op: Operation) -> None:
        lists = {tuple([value.type for value in op.kind.field_values(op, name)]) for name in self.fields}
        if len(lists) > 1:
            raise self.failure()


class TypesSatisfy(TypeRule):
    """A rule that ``predicate`` holds for the types of the named fields, of the first value of each;
    ``words`` states it. It also holds if a field among them is absent.
    """

    def __init__(self, words: str, predicate: Callable[..., bool], *fields: str) -> None:
        self.words = words
        self.predicate = predicate
        self.fields = fields

    def verify(self, op: Operation) -> None:
        values = [op.kind.field_values(op, name) for name in self.fields]
        if all(values) and not self.predicate(*[group[0].type for group in values]):
            raise VerifyError(f"failed to verify that {self.words}")

    @property
    def description(self) -> str:
        return self.words


class SameOperandsShape(Trait):
    """There is at least one operand, and all operands have the same shape; a type without a shape counts as
    rank 0.
    """

    local = True

    def verify(self, op: Operation) -> None:
        if not op.operands:
            raise VerifyError("expected 1 or more operands, but found 0")
        if len({_shape(value.type) for value in op.operands}) > 1:
            raise VerifyError("requires the same shape for all operands")


class SameOperandsAndResultShape(Trait):
    """All operands and results have the same shape; a type without a shape counts as rank 0."""

    local = True

    def verify(self, op: Operation) -> None:
        if len({_shape(value.type) for value in (*op.operands, *op.results)}) > 1:
            raise VerifyError("requires the same shape for all operands and results")


class SameOperandsAndResultElementType(Trait):
    """All operands and results have the same element type; a type without an element type counts as its own."""

    local = True

    def verify(self, op: Operation) -> None:
        if len({_element_type(value.type) for value in (*op.operands, *op.results)}) > 1:
            raise VerifyError("requires the same element type for all operands and results")


class InferredResultTypes(Trait):
    """The result types are those that ``infer_result_types`` of the class returns."""

    def verify_regions(self, op: Operation) -> None:
        try:
            inferred = tuple(type(op).infer_result_types(op.operands, op.held_attributes, op.regions))
        except ValueError as error:
            raise VerifyError(f"failed to infer returned types: {error}") from error
        if inferred == op.result_types:
            return
        ours, theirs = (", ".join(f"'{t}'" for t in types) for types in (inferred, op.result_types))
        raise VerifyError(
            f"inferred type(s) {ours} are incompatible with return type(s) of operation {theirs}",
            consequence="failed to infer returned types",
        )


def _shape(type: Type) -> Any:
    return getattr(type, "shape", ())


def _element_type(type: Type) -> Any:
    return getattr(type, "element_type", type)


def same_type(*fields: str, shown: tuple[str, ...] = ()) -> SameTypes:
    """Return the rule that all named fields have the same type; variadic ones the same list of types.
    ``shown`` are the names that diagnostics use, if they differ from the names of the fields.
    """
    return SameTypes(*fields, shown=shown)


def same_shape(*fields: str) -> Matching:
    """Return the rule that all named operands and results have the same shape; a type without a shape counts
    as rank 0.
    """
    return Matching("same shape", _shape, *fields)


def same_rank(*fields: str) -> Matching:
    """Return the rule that all named operands and results have the same rank; a type without a shape has rank
    0.
    """
    return Matching("same rank", lambda type: len(_shape(type)), *fields)


def same_element_type(*fields: str) -> Matching:
    """Return the rule that all named operands and results have the same element type; a type without an
    element type counts as its own.
    """
    return Matching("the same element type", _element_type, *fields)
