"""Operations: the class of all IR, and the metaclass that reads declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, dataclass_transform, overload

from tilewright.ir.attribute import NO_ATTRIBUTES, Attribute, Location, SharedAttributes, Type
from tilewright.ir.block import Block, Region, nested_operations, nested_operations_reversed
from tilewright.ir.construction.constructor import (
    add_successors,
    as_value,
    constructor,
    initialise,
    is_derived_constructor,
)
from tilewright.ir.declaration.fields import (
    AttributeField,
    OpField,
    attr_def,
    builder_option,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_region_def,
    optional_result_def,
    region_def,
    result_def,
    successor_def,
    variadic_operand_def,
    variadic_region_def,
    variadic_result_def,
    variadic_successor_def,
)
from tilewright.ir.declaration.kind import Accessor, DeclaredKind, OperationKind, inferred_result_types
from tilewright.ir.declaration.traits import Trait
from tilewright.ir.location import UNKNOWN, LazyLocation
from tilewright.ir.value import OpResult, Value

if TYPE_CHECKING:
    from tilewright.ir.builder import InsertionPoint
    from tilewright.ir.text.printer import PrintOptions
    from tilewright.ir.walker import WalkCallback, WalkOrder, WalkResult

__all__ = ["Operation", "OperationMeta", "UnregisteredOp", "as_value", "initialise", "operation_class"]

_new = object.__new__

FoldResult = Value | Attribute | Sequence[Value | Attribute] | None
"""The result of a fold; see `tilewright.ir.dialect.Fold`."""


@dataclass_transform(
    eq_default=False,
    field_specifiers=(
        operand_def,
        optional_operand_def,
        variadic_operand_def,
        result_def,
        optional_result_def,
        variadic_result_def,
        attr_def,
        optional_attr_def,
        flag_def,
        region_def,
        optional_region_def,
        variadic_region_def,
        successor_def,
        variadic_successor_def,
        builder_option,
    ),
)
class OperationMeta(type):
    """Collects the fields of an op class, replaces them by accessors and makes the class's kind.

    ``class AddIOp(Operation, name="arith.addi")`` declares a concrete operation; without ``name`` the class is an
    abstract base whose fields its subclasses inherit; a field that is declared again replaces the inherited one.
    """

    op_kind: OperationKind

    def __new__(
        mcs, class_name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, name: str = ""
    ) -> OperationMeta:
        fields = {key: value for key, value in namespace.items() if isinstance(value, OpField)}
        for key in fields:
            del namespace[key]
        namespace.setdefault("__slots__", ())
        cls = super().__new__(mcs, class_name, bases, namespace)
        for key, field in fields.items():
            if any(isinstance(vars(base).get(key), MemberDescriptorType) for base in cls.__mro__):
                raise TypeError(
                    f"{class_name}.{key}: every operation has a '{key}' of its own; use `ir_name`"
                )
            _name_field(field, key)
        inherited = [f for base in reversed(bases) for f in getattr(base, "declared_fields", ())]
        declared = tuple({field.python_name: field for field in (*inherited, *fields.values())}.values())
        type.__setattr__(cls, "declared_fields", declared)
        if name:
            _finish_class(cls, name, declared)
        return cls

    if not TYPE_CHECKING:

        def __init__(cls, class_name, bases, namespace, *, name=""):
            super().__init__(class_name, bases, namespace)


def _name_field(field: OpField, python_name: str) -> None:
    field.python_name = python_name
    field.name = python_name.removesuffix("_")
    if isinstance(field, AttributeField) and not field.ir_name:
        field.ir_name = field.name


def _finish_class(cls: Any, name: str, declared: Sequence[OpField]) -> None:
    """Make the kind and the accessors of a concrete op class called `name` with the fields `declared`. A
    class with an assembly format prints and parses by the format, unless it defines ``print_custom``.
    """
    kind = cls.op_kind = DeclaredKind(name, cls, declared, cls.traits)
    rule = getattr(cls.infer_result_types, "__func__", None)
    kind.has_derived_inference = rule is vars(Operation)["infer_result_types"].__func__
    if is_derived_constructor(cls.__init__):  # the derived constructor of a base class
        cls.__init__ = Operation.__init__
    for field in declared:
        setattr(cls, field.python_name, Accessor(field, kind))
    if getattr(cls, "assembly_format", None) and not hasattr(cls, "print_custom"):
        cls.print_custom = print_by_declaration
        cls.parse_custom = classmethod(_parse_by_format)


def print_by_declaration(op: Operation, printer: Any) -> None:
    """Print an operation whose syntax is its ``assembly_format``: the ``print_custom`` of such classes."""
    from tilewright.ir.text.format.assembly_format import print_by_format

    print_by_format(op, printer)


def _parse_by_format(op_class: type[Operation], parser: Any) -> Any:
    from tilewright.ir.text.format.assembly_format import parse_by_format

    return parse_by_format(op_class, parser)


def _type_tuple(types: Sequence[Any] | None) -> tuple[Type, ...]:
    """Return the ``result_types`` of a builder call as type checkers see them; an empty tuple for None."""
    return tuple(types or ())


def _any_location(location: Location | LazyLocation) -> Location:
    """Return the ``location`` of a builder call as type checkers see it; unknown for a lazy location."""
    return location if isinstance(location, Location) else UNKNOWN


def _attribute_dictionary(attributes: Mapping[str, Attribute] | None) -> dict[str, Attribute]:
    """Return the ``attributes`` of a builder call as type checkers see them."""
    return dict(attributes or {})


class _Links:
    """The slots that every visit reads, before the other slots of an operation: together they fit into a
    cache line.
    """

    __slots__ = ("next", "regions")


class Operation(_Links, metaclass=OperationMeta):
    """An operation: kind, operands, results, attributes, regions, successors, and its place in a block.

    ``operands``, ``results``, ``regions`` and ``successors`` are tuples; change operands with `set_operand`,
    `set_operands`, so that use lists stay true.  ``attributes`` holds inherent and discardable attributes by name;
    code that only reads and must be fast looks into ``held_attributes``, which may belong to several operations.
    """

    __slots__ = (
        "held_attributes",
        "kind",
        "lazy_location",
        "operands",
        "order_number",
        "parent",
        "previous",
        "results",
        "successors",
    )

    traits: ClassVar[tuple[Trait, ...]] = ()
    assembly_format: ClassVar[str]
    """Custom syntax in the notation of `tilewright.ir.text.format.spec`; unset: hand-written hooks or generic."""
    verifies_locally: ClassVar[bool] = False
    """Whether `verify_` looks at nothing but attributes and the types of operands and results (see `Trait`)."""
    declared_fields: ClassVar[tuple[OpField, ...]]
    op_kind: ClassVar[OperationKind]

    if TYPE_CHECKING:
        # Attributes declared here and not in the class body are no constructor arguments to type checkers.
        def __init__(self) -> None:
            self.kind: OperationKind
            self.held_attributes: Mapping[str, Attribute]
            self.operands: tuple[Value, ...]
            self.results: tuple[OpResult, ...]
            self.regions: tuple[Region, ...]
            self.successors: tuple[Block, ...]
            self.parent: Block | None
            self.previous: Operation | None
            self.next: Operation | None
            self.order_number: Any
            self.lazy_location: Location | LazyLocation

        result_types: tuple[Type, ...] = builder_option(default=None, converter=_type_tuple)
        location: Location = builder_option(default=UNKNOWN, converter=_any_location)
        attributes: dict[str, Attribute] = builder_option(default=None, converter=_attribute_dictionary)

    if not TYPE_CHECKING:

        def __init__(self, /, *arguments, **named):
            cls = type(self)
            construct = constructor(cls.op_kind)
            if cls.__init__ is Operation.__init__:
                cls.__init__ = construct
            construct(self, *arguments, **named)

    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] | None = None,
        operands: Sequence[Value | Operation] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int = 0,
        loc: Location | None = None,
        ip: InsertionPoint | Literal[False] | None = None,
        infer_type: bool = False,
    ) -> Operation:
        """Make an operation by its name, with the arguments of MLIR's Python bindings.

        The name is looked up in the context that a ``with`` block has entered. ``operands`` are values, or
        operations with one result. The operation gets ``regions`` empty regions, the location ``loc``
        (default: the one entered, else unknown), and is inserted at ``ip`` (default: the point entered, if
        there is one; False: nowhere). ``results`` are types; None stands for no results or, with
        ``infer_type``, for results whose types follow from the rest. Nothing is checked: see `verify`. Raises
        `ValueError` without a context, for names that the context does not have, unless it accepts
        unregistered operations, for both ``results`` and ``infer_type``, and for results that cannot be
        inferred.
        """
        from tilewright.ir.construction.clone import create

        return create(name, results, operands, attributes, successors, regions, loc, ip, infer_type)

    @staticmethod
    def from_parts(
        kind: OperationKind,
        operands: Sequence[Value] = (),
        result_types: Sequence[Type] = (),
        attributes: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
        successors: Sequence[Block] = (),
        location: Location | LazyLocation = UNKNOWN,
    ) -> Operation:
        """Make an operation from its parts without checking anything; readers and rewriters call it, and
        verify afterwards. The dictionary `attributes` becomes the operation's own and is not copied. The
        operation is in no block.
        """
        op = _new(kind.op_class)
        own = NO_ATTRIBUTES if attributes is None else attributes
        initialise(op, kind, operands, result_types, own, regions, successors, location)
        return op

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        """Return the result types of a builder call that does not name them. They follow from the
        declaration, unless a class has a rule of its own. Raises `ValueError` if they cannot be inferred.
        """
        types = inferred_result_types(cls.op_kind, operands)
        if types is None:
            raise ValueError(f"'{cls.op_kind.name}' cannot infer its result types; pass result_types=[...]")
        return types

    def verify_(self) -> None:
        """Verify the rules that the declaration cannot state.

        Raises `tilewright.ir.declaration.traits.VerifyError` if one is broken.
        """

    def verify_regions_(self) -> None:
        """Verify the rules about regions, after the operations inside were verified.

        Raises `VerifyError` if one is broken.
        """

    @property
    def name(self) -> str:
        """The full name, dialect first: `arith.addi`."""
        return self.kind.name

    if not TYPE_CHECKING:

        @property
        def attributes(self):
            """The inherent and discardable attributes by name; the dictionary may be changed."""
            held = self.held_attributes
            if type(held) is SharedAttributes:
                held = self.held_attributes = dict(held)
            return held

        @attributes.setter
        def attributes(self, attributes):
            self.held_attributes = attributes

        @property
        def result_types(self):
            """The types of all results."""
            return tuple([result.type for result in self.results])

        @property
        def location(self):
            """The location of the operation; a reader may compute it at the first request."""
            held = self.lazy_location
            if type(held) is tuple:
                source, position = held
                held = self.lazy_location = source.location(position)
            return held

        @location.setter
        def location(self, location):
            self.lazy_location = location

    @property
    def operand_types(self) -> tuple[Type, ...]:
        """The types of all operands."""
        return tuple([operand.type for operand in self.operands])

    @property
    def parent_op(self) -> Operation | None:
        """The operation whose region holds this one; None for an operation outside of a block, and if its
        block is in no region with an owner.
        """
        block = self.parent
        if block is None or block.parent is None:
            return None
        return block.parent.parent

    def has_trait(self, trait: type[Trait]) -> bool:
        """Return whether this kind of operation has a trait of the class `trait` or of a derived class."""
        return trait in self.kind.trait_classes

    def set_operand(self, index: int, value: Value) -> None:
        """Replace operand number `index` with `value`."""
        operands = list(self.operands)
        operands[index] = value
        self.set_operands(operands)

    def set_operands(self, operands: Iterable[Value]) -> None:
        """Replace all operands with `operands`."""
        new = tuple(operands)
        _drop_uses(self)
        self.operands = new
        _add_uses(self, new)

    def set_successors(self, successors: Iterable[Block]) -> None:
        """Replace all successors with `successors`."""
        _drop_successors(self)
        self.successors = tuple(successors)
        add_successors(self)

    def replace_uses_of(self, old: Value, new: Value) -> None:
        """Replace ``old`` with ``new`` among the operands of this operation."""
        self.set_operands([new if operand is old else operand for operand in self.operands])

    def replace_all_uses_with(self, replacements: Sequence[Value]) -> None:
        """Replace all uses of the results with ``replacements``, one value for each result. Raises
        `ValueError` for another number of values.
        """
        for result, replacement in zip(self.results, replacements, strict=True):
            result.replace_all_uses_with(replacement)

    @property
    def has_uses(self) -> bool:
        """Whether any result is used."""
        results = self.results
        if len(results) == 1:  # this is asked of every operation in every pass
            return results[0].compact_uses is not None
        return any(result.compact_uses is not None for result in results)

    def detach(self) -> Self:
        """Unlink the operation from its block without destroying it, if it is in a block, and return it. Its
        uses and operands stay.
        """
        if self.parent is not None:
            self.parent.remove(self)
        return self

    def move_before(self, anchor: Operation) -> None:
        """Move right before ``anchor``. Raises `ValueError` if the anchor is in no block."""
        block = anchor.parent
        if block is None:
            raise ValueError("the anchor is not in a block")
        self.detach()
        block.insert_before(anchor, self)

    def move_after(self, anchor: Operation) -> None:
        """Move right after ``anchor``. Raises `ValueError` if the anchor is in no block."""
        block = anchor.parent
        if block is None:
            raise ValueError("the anchor is not in a block")
        self.detach()
        block.insert_after(anchor, self)

    def erase(self) -> None:
        """Destroy the operation with everything in it. Raises `ValueError` if its results have uses."""
        for result in self.results:
            if result.compact_uses is not None:
                raise ValueError(f"'{self.name}' still has uses and cannot be erased")
        if self.parent is not None:
            self.parent.remove(self)
        self.drop_all_references()

    def drop_all_references(self) -> None:
        """Drop the uses of all values and blocks, here and in all nested operations. Their operands and
        successors are empty afterwards.
        """
        if not self.regions and not self.successors:
            for value in self.operands:
                if value.compact_uses is self:  # the only use, as most are
                    value.compact_uses = None
                else:
                    value.drop_uses_by(self)
            self.operands = ()
            return
        pending: list[Operation] = [self]
        while pending:
            op = pending.pop()
            _drop_uses(op)
            op.operands = ()
            _drop_successors(op)
            op.successors = ()
            for region in op.regions:
                for block in region.blocks:
                    pending.extend(block)

    def is_before_in_block(self, other: Operation) -> bool:
        """Return whether this operation comes before ``other``. Both must be in the same block."""
        block = self.parent
        assert block is not None, "the operation must be in a block"
        assert block is other.parent, "both operations must be in the same block"
        if not block.order_valid:
            block.recompute_order()
        if None in (self.order_number, other.order_number):
            block.number_appended()
        return bool(self.order_number < other.order_number)

    def is_proper_ancestor_of(self, other: Operation) -> bool:
        """Return whether ``other`` is nested somewhere inside this operation."""
        current = other.parent_op
        while current is not None:
            if current is self:
                return True
            current = current.parent_op
        return False

    def ancestors(self) -> Iterator[Operation]:
        """Yield the enclosing operations, innermost first."""
        current = self.parent_op
        while current is not None:
            yield current
            current = current.parent_op

    @overload
    def walk(self, *, reverse: bool = False) -> Iterator[Operation]: ...

    @overload
    def walk(self, callback: WalkCallback, walk_order: WalkOrder | None = None) -> WalkResult: ...

    def walk(
        self,
        callback: WalkCallback | None = None,
        walk_order: WalkOrder | None = None,
        *,
        reverse: bool = False,
    ) -> Iterator[Operation] | WalkResult:
        """Yield this operation and all nested ones in pre-order, with the operations of each level in reverse
        order if `reverse`; do not change the IR while iterating.

        With a ``callback`` it is called for each of them instead, inner ones first unless ``walk_order`` says
        otherwise (as in MLIR), and may return a `WalkResult`; `tilewright.ir.walker.walk` says which changes
        it may make.
        """
        if callback is None:
            return nested_operations_reversed(self) if reverse else nested_operations(self)
        from tilewright.ir.walker import WalkOrder, walk

        return walk(self, callback, WalkOrder.POST_ORDER if walk_order is None else walk_order)

    @property
    def operation(self) -> Self:
        """The operation itself, as the ``operation`` of a module is (MLIR's name)."""
        return self

    @property
    def block(self) -> Block | None:
        """The block that holds the operation (MLIR's name for ``parent``); None for an operation in no block."""
        return self.parent

    def verify(self) -> bool:
        """Return True if all rules hold, here and inside. Raises `DiagnosticError` with every broken rule."""
        from tilewright.ir.diagnostic import DiagnosticError
        from tilewright.ir.verifier import verify

        errors = verify(self, all_errors=True)
        if errors:
            raise DiagnosticError(errors)
        return True

    def clone(self, mapping: dict[Value, Value] | None = None) -> Self:
        """Return a deep copy, in no block. Operands that are keys of ``mapping`` are replaced by its values;
        the values of the operation and of the copy are added to ``mapping``.
        """
        from tilewright.ir.construction.clone import clone

        return clone(self, {} if mapping is None else mapping)

    def print(self, options: PrintOptions | None = None) -> str:
        """Return the text of the operation; `options` None stands for the default options."""
        from tilewright.ir.text.printer import operation_text

        return operation_text(self, options)

    def get_asm(
        self,
        *,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        skip_regions: bool = False,
        large_elements_limit: int | None = None,
    ) -> str:
        """Return the text of the operation: with locations if `enable_debug_info`, in the generic form if
        `print_generic_op_form`, without aliases if `use_local_scope`, with ``{...}`` for regions if
        `skip_regions`, and without dense data of more than `large_elements_limit` elements (None: with all
        data). The parameters have the names of MLIR's Python bindings; `print` takes the same choices as
        `PrintOptions`.
        """
        from tilewright.ir.text.hooks import PrintOptions

        return self.print(
            PrintOptions(
                generic=print_generic_op_form,
                debug_info=enable_debug_info,
                use_local_scope=use_local_scope,
                skip_regions=skip_regions,
                elide_elements_above=large_elements_limit,
            )
        )

    def __str__(self) -> str:
        return self.print()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.kind.name}'>"

    def _repr_html_(self) -> str:
        """Return the text of the operation, as notebooks show it."""
        from tilewright.pages.notebook import output, program

        return output(program(str(self), "mlir"))


class UnregisteredOp(Operation):
    """An operation whose kind is not registered: only its name is known. The context that parses it makes the
    kind.
    """


def _add_uses(op: Operation, operands: Iterable[Value]) -> None:
    for value in operands:
        value.add_use(op)


def _drop_uses(op: Operation) -> None:
    for value in op.operands:
        value.drop_uses_by(op)


def _drop_successors(op: Operation) -> None:
    for block in op.successors:
        block.predecessor_uses.pop(op, None)


def operation_class(kind: OperationKind) -> Callable[..., Operation]:
    """Return the op class of a kind, as a function that constructs operations."""
    return kind.op_class
