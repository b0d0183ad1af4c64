"""The verifier: every rule of the declarations, traits and classes, and that definitions reach their uses.

Order for one operation, as in MLIR: operand and result counts, attributes, operand and result types, rules on types,
regions, discardable attributes, other traits, blocks, the class's own rules; then the operations inside; then the rules of traits and class
that look into regions.  The first broken rule of an operation ends its own checks.  Nesting depth is limited by
memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter, methodcaller
from typing import Any

from tilewright.ir import codes
from tilewright.ir.attribute import Attribute, SharedAttributes
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DenseArrayAttr, DictionaryAttr
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import MISSING, Arity, AttributeField, OperandField, ResultField
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, RESULT_SEGMENTS, OperationKind
from tilewright.ir.declaration.traits import (
    NoTerminator,
    SameTypes,
    SingleBlock,
    StructureError,
    Trait,
    TypeRule,
    VerifyError,
)
from tilewright.ir.diagnostic import Diagnostic, DiagnosticEngine, DiagnosticError, Severity
from tilewright.ir.dialect import LOADED, Dialect
from tilewright.ir.dominance import UseChecker
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.walker import Visitor, WalkResult, unchanging_ancestors, walk_with


def verify(
    op: Operation, *, all_errors: bool = False, dialects: Mapping[str, Dialect] | None = None
) -> list[Diagnostic]:
    """Check an operation and everything in it.

    Return the errors found; the list is empty for valid IR. Without ``all_errors`` these are the first error
    and its consequence, if the error states one. Dominance is checked only if no other rule is broken.
    ``dialects`` are the dialects of a context, by name, which verify the discardable attributes in their
    namespaces. By default such an attribute is valid if the dialect of any context of this process accepts
    it; an attribute of an unknown dialect is always valid.
    """
    return _Verifier(all_errors, dialects).run(op)


def verify_or_raise(
    op: Operation, engine: DiagnosticEngine | None = None, dialects: Mapping[str, Dialect] | None = None
) -> None:
    """Verify ``op`` and everything in it up to the first error. Raise `DiagnosticError` with the error, and
    its consequence if it states one, after it is emitted to ``engine``, if there is an engine. ``dialects``
    verify the discardable attributes in their namespaces; None means the dialects of any context of this
    process.
    """
    errors = verify(op, dialects=dialects)
    if not errors:
        return
    if engine is not None:
        for error in errors:
            engine.emit(error)
    raise DiagnosticError(errors)


ARGUMENTS, RESULTS = "arg_attrs", "res_attrs"
"""The inherent attributes in which functions hold the attributes of their arguments and results."""
_Check = Callable[[Any], None]
_TYPE_OF = attrgetter("type")
_MAXIMUM_KNOWN = 1 << 14
"""The maximum number of valid operations that are remembered for a kind; when it is reached, all are
forgotten.
"""


class _VerificationPlan:
    """The checks that remain for an operation if an equal operation was valid. Two operations of a kind are
    equal here if their attributes and the types of their operands and results are equal.

    ``known`` holds the keys of valid operations. Rules on numbers, attributes and types and `local` traits
    give the same result for equal operations; ``rest`` has all other checks. It includes rules on regions and
    successors if operations of this kind have some by declaration (``nested``).
    """

    __slots__ = ("known", "nested", "rest")

    def __init__(self, kind: OperationKind) -> None:
        self.known: set[tuple[Any, ...]] = set()
        self.nested = bool(kind.regions or kind.successors)
        checks: list[_Check] = [trait.verify for trait in _own_rules(kind) if not trait.local]
        if self.nested:
            checks = [_structure_check(kind), *checks, _check_blocks]
        if kind.op_class.verify_ is not Operation.verify_ and not kind.op_class.verifies_locally:
            checks.append(kind.op_class.verify_)
        if _has_region_rules(kind):
            checks.append(_check_without_regions)
        self.rest = tuple(checks)

    def remember(self, like: tuple[Any, ...], op: Operation) -> None:
        """Record a valid operation under the key ``like``: its attributes and types.

        Operations with large constants are not recorded, so that they can be freed, nor operations that a
        dialect verifies, since the result may differ in another context.
        """
        attributes = op.held_attributes
        if any(type(attribute).__weakrefoffset__ for attribute in attributes.values()) or _asks_dialects(op):
            return
        if len(self.known) >= _MAXIMUM_KNOWN:
            self.known.clear()
        self.known.add(like)


def _types_key(op: Operation) -> tuple[Any, ...]:
    """Return the number of operands, the types of operands, and the types of results, as one tuple."""
    operands = op.operands
    return (len(operands), *map(_TYPE_OF, operands), *map(_TYPE_OF, op.results))


def _plan(kind: OperationKind) -> _VerificationPlan:
    plan = kind.verification = _VerificationPlan(kind)
    return plan


class _Verifier:
    def __init__(self, all_errors: bool, dialects: Mapping[str, Dialect] | None) -> None:
        self.all_errors = all_errors
        self.dialects = dialects
        self.errors: list[Diagnostic] = []

    def run(self, root: Operation) -> list[Diagnostic]:
        visitor = Visitor(enter=self._check_root, scan=self._check_along, leave=self._check_regions)
        with unchanging_ancestors():
            walk_with(root, visitor)
        if not self.errors:
            self._check_dominance(root)
        return self.errors

    def _check_root(self, root: Operation) -> WalkResult:
        """Verify the root operation, without the operations inside, and record its error. Return INTERRUPT if
        it is invalid, even if all errors are collected, else CONTINUE.
        """
        wrong = self._guard(root, partial(check_operation, dialects=self.dialects)) is not None
        return WalkResult.INTERRUPT if wrong else WalkResult.CONTINUE

    def _check_regions(self, op: Operation) -> WalkResult | None:
        """Check the rules about the regions of `op`, after the regions were visited. Return None if they are
        satisfied or there are no regions. Otherwise record the error, and return CONTINUE if all errors are
        collected, else INTERRUPT.
        """
        return self._guard(op, _check_region_rules) if op.regions else None

    def _check_along(self, first: Operation) -> Operation | WalkResult | None:
        """Check the operations of a block from ``first`` on. Return the first valid operation that has
        regions, or None at the end of the block. After an error return INTERRUPT, unless all errors are
        collected.

        The loop itself handles operations that equal an earlier valid one; most do.
        """
        op: Operation | None = first
        while op is not None:
            kind = op.kind
            plan = kind.verification or _plan(kind)
            attributes, operands, results = op.held_attributes, op.operands, op.results
            if type(attributes) is not SharedAttributes:
                like = (*attributes, *attributes.values(), *_types_key(op))
            elif len(results) == 1 and len(operands) == 2:  # the most frequent shapes, spelt out
                (a, b), (result,) = operands, results
                like = (attributes, a.type, b.type, result.type)
            elif len(results) == 1 and len(operands) == 1:
                (a,), (result,) = operands, results
                like = (attributes, a.type, result.type)
            else:
                like = (attributes, len(operands), *map(_TYPE_OF, operands), *map(_TYPE_OF, results))
            regions = op.regions
            try:
                if like in plan.known and (plan.nested or not (regions or op.successors)):
                    for check in plan.rest:
                        check(op)
                else:
                    check_operation(op, self.dialects)
                    plan.remember(like, op)
            except VerifyError as error:
                if self._report(op, error) is WalkResult.INTERRUPT:
                    return WalkResult.INTERRUPT
            else:
                if regions:
                    return op
            op = op.next
        return None

    def _guard(self, op: Operation, check: _Check) -> WalkResult | None:
        """Run a check on an operation. Return None if it passes. Otherwise record the error, and return
        CONTINUE if all errors are collected, else INTERRUPT.
        """
        try:
            check(op)
        except VerifyError as error:
            return self._report(op, error)
        return None

    def _report(self, op: Operation, error: VerifyError) -> WalkResult:
        """Record the error, and its consequence, if it has one, as a second error. Both are located at the
        operation that ``error`` names, by default `op`. Return CONTINUE if all errors are collected, else
        INTERRUPT.
        """
        culprit = error.op or op
        code = codes.INVALID_STRUCTURE if isinstance(error, StructureError) else codes.INVALID_OPERATION
        message = f"'{culprit.kind.name}' op {error.message}" if error.prefix else error.message
        diagnostic = Diagnostic(Severity.ERROR, message, culprit.location, code)
        for text, place in error.notes:
            diagnostic.note(text, place)
        if error.hint:
            diagnostic.hint(error.hint)
        if error.consequence:
            words = f"'{culprit.kind.name}' op {error.consequence}"
            self.errors.append(diagnostic)
            diagnostic = Diagnostic(Severity.ERROR, words, culprit.location, code)
        self.errors.append(diagnostic)
        return WalkResult.CONTINUE if self.all_errors else WalkResult.INTERRUPT

    def _check_dominance(self, root: Operation) -> None:
        for op, index in UseChecker().check(root):
            self.errors.append(_dominance_error(op, index, op.operands[index]))
            if not self.all_errors:
                return


def _dominance_error(op: Operation, index: int, operand: Value) -> Diagnostic:
    message = f"operand #{index} does not dominate this use"
    diagnostic = Diagnostic(Severity.ERROR, message, op.location, codes.DOMINANCE)
    owner = operand.owner
    if isinstance(owner, Operation):
        diagnostic.note("operand defined here (op in a parent region or later)", owner.location)
    else:
        diagnostic.note("operand defined as a block argument", owner.argument_location(operand.index))
    return diagnostic


def check_operation(op: Operation, dialects: Mapping[str, Dialect] | None = None) -> None:
    """Verify the rules of one operation, not the operations in its regions. The rules of traits and of the
    class that look into regions are checked only if it has none.

    Raises `VerifyError` if a rule is broken. ``dialects`` verify the discardable attributes in their
    namespaces; None means the dialects of any context of this process.
    """
    kind = op.kind
    if kind.is_registered:
        sizes = _check_counts(op, kind)
        _check_attributes(op, kind)
        _check_types(op, kind, sizes)
        _check_regions(op, kind)
    _check_discardable(op, kind, dialects)
    for trait in _own_rules(kind):
        trait.verify(op)
    _check_blocks(op)
    op.verify_()
    if not op.regions and _has_region_rules(kind):
        _check_region_rules(op)


def _check_region_rules(op: Operation) -> None:
    _check_terminators(op)
    for trait in _region_rules(op.kind):
        trait.verify_regions(op)
    op.verify_regions_()


@cache
def _own_rules(kind: OperationKind) -> tuple[Trait, ...]:
    """Return the traits with a check of their own, except rules on types."""
    checking = [trait for trait in kind.traits if type(trait).verify is not Trait.verify]
    return tuple(trait for trait in checking if not isinstance(trait, TypeRule))


@cache
def _region_rules(kind: OperationKind) -> tuple[Trait, ...]:
    """Return the traits that check something about the regions of an operation."""
    return tuple(trait for trait in kind.traits if type(trait).verify_regions is not Trait.verify_regions)


@cache
def _has_region_rules(kind: OperationKind) -> bool:
    """Return True if the declaration has rules that run after the rules of nested operations."""
    return bool(_region_rules(kind)) or kind.op_class.verify_regions_ is not Operation.verify_regions_


def _check_without_regions(op: Operation) -> None:
    """Check the rules that run after the rules of nested operations, if `op` has no regions. Raises
    `VerifyError` if one is broken.
    """
    if not op.regions:
        _check_region_rules(op)


@cache
def _type_rules(kind: OperationKind) -> tuple[TypeRule, ...]:
    """Return the type rules of a kind: first a `SameTypes` for each group of operands and results that share
    a type variable, unless ``traits`` has one for the same fields, then the type rules in ``traits``.
    """
    listed = [trait for trait in kind.traits if isinstance(trait, TypeRule)]
    said = {frozenset(trait.fields) for trait in listed if isinstance(trait, SameTypes)}
    names: dict[TypeVariable, list[str]] = {}
    for field in (*kind.operands, *kind.results):
        if isinstance(field.constraint, TypeVariable):
            names.setdefault(field.constraint, []).append(field.name)
    implied = [
        SameTypes(*group) for group in names.values() if len(group) > 1 and frozenset(group) not in said
    ]
    return (*implied, *listed)


_Sizes = tuple[Sequence[int], Sequence[int]]
"""The number of values of each operand field, and of each result field."""


def _check_counts(op: Operation, kind: OperationKind) -> _Sizes:
    _check_region_count(op, kind)
    results = _checked_sizes(kind.results, kind.segmented_results, RESULT_SEGMENTS, op, "result")
    _check_successor_count(op, kind)
    return _checked_sizes(kind.operands, kind.segmented_operands, OPERAND_SEGMENTS, op, "operand"), results


def _check_types(op: Operation, kind: OperationKind, sizes: _Sizes) -> None:
    signature = (*[v.type for v in op.operands], *[v.type for v in op.results])
    fixed = all(field.arity is Arity.ONE for field in (*kind.operands, *kind.results))
    if fixed and signature in kind.valid_signatures:
        return
    _check_group(kind.operands, sizes[0], op.operands, "operand")
    _check_group(kind.results, sizes[1], op.results, "result")
    for rule in _type_rules(kind):
        rule.verify(op)
    if fixed:
        kind.valid_signatures.add(signature)


def _checked_sizes(
    fields: Sequence[OperandField] | Sequence[ResultField],
    segmented: bool,
    name: str,
    op: Operation,
    word: str,
) -> Sequence[int]:
    values = op.operands if word == "operand" else op.results
    required = sum(field.arity is Arity.ONE for field in fields)
    variable = required != len(fields)
    if len(values) < required or (not variable and len(values) != required):
        raise VerifyError(_count_message(required, variable, len(values), word))
    if segmented:
        return _checked_segments(fields, len(values), name, op, word)
    sizes = op.kind.operand_sizes(op) if word == "operand" else op.kind.result_sizes(op)
    for position, (field, size) in enumerate(zip(fields, sizes, strict=True)):
        if field.arity is Arity.OPTIONAL and size > 1:
            raise VerifyError(
                f"{word} group starting at #{position} requires 0 or 1 element, but found {size}"
            )
    return sizes


def _count_message(required: int, variable: bool, found: int, word: str) -> str:
    if required == 0:
        return f"requires zero {word}s"
    if required == 1 and not variable:
        return "requires a single operand" if word == "operand" else "requires one result"
    count = f"expected {required} {'or more ' if variable else ''}{word}s"
    return f"{count}, but found {found}" if word == "operand" else count


def _checked_segments(
    fields: Sequence[OperandField] | Sequence[ResultField], total: int, name: str, op: Operation, word: str
) -> Sequence[int]:
    attribute = op.held_attributes.get(name)
    if not isinstance(attribute, DenseArrayAttr) and not (attribute is None and total):
        raise VerifyError(f"requires dense i32 array attribute '{name}'")
    sizes = [] if attribute is None else list(attribute.values)
    if any(size < 0 for size in sizes):
        raise VerifyError(f"'{name}' attribute cannot have negative elements")
    if sum(sizes) != total:
        described = f"does not match with the total size ({sum(sizes)}) specified in attribute '{name}'"
        raise VerifyError(f"{word} count ({total}) {described}")
    if len(sizes) != len(fields):
        wanted = f"must have {len(fields)} elements, but got {len(sizes)}"
        raise VerifyError(f"'{name}' attribute for specifying {word} segments {wanted}")
    for position, (field, size) in enumerate(zip(fields, sizes, strict=True)):
        if (field.arity is Arity.ONE and size != 1) or (field.arity is Arity.OPTIONAL and size > 1):
            wanted = "1" if field.arity is Arity.ONE else "0 or 1"
            start = sum(sizes[:position])
            raise VerifyError(
                f"{word} group starting at #{start} requires {wanted} element, but found {size}"
            )
    return sizes


def _check_group(
    fields: Sequence[OperandField] | Sequence[ResultField],
    sizes: Sequence[int],
    values: Sequence[Value],
    word: str,
) -> None:
    position = 0
    for field, size in zip(fields, sizes, strict=True):
        constraint = field.constraint
        for value in values[position : position + size]:
            if not constraint.matches(value.type):
                prefix = "variadic of " if field.arity is Arity.VARIADIC else ""
                raise VerifyError(
                    f"{word} #{position} must be {prefix}{constraint.description}, but got '{value.type}'"
                )
            position += 1


def _check_attributes(op: Operation, kind: OperationKind) -> None:
    attributes = op.held_attributes
    for field in kind.attributes:
        attribute = attributes.get(field.ir_name)
        if attribute is None:
            if not field.optional and field.default is MISSING:
                raise VerifyError(f"requires attribute '{field.ir_name}'")
            continue
        known = kind.valid_attributes[field.ir_name]
        if attribute not in known:
            _check_attribute(field, attribute)
            if type(attribute).__weakrefoffset__ == 0:  # do not keep large constants alive
                known.add(attribute)


def _asks_dialects(op: Operation) -> bool:
    """Return whether `op` has attributes that `_check_discardable` gives to a dialect: discardable attributes
    with a dialect prefix, or attributes of arguments or results.
    """
    held, kind = op.held_attributes, op.kind
    return ARGUMENTS in held or RESULTS in held or any("." in n and not kind.is_inherent(n) for n in held)


def _check_discardable(op: Operation, kind: OperationKind, dialects: Mapping[str, Dialect] | None) -> None:
    """Let the dialects verify discardable attributes with a dialect prefix: on `op`, and, if it has regions,
    on the arguments and results of the function that it is. `dialects` is as for `verify`: None means the
    dialects of any context of this process. Raises `VerifyError` if an attribute is refused.
    """
    for name, attribute in op.held_attributes.items():
        if "." in name and not kind.is_inherent(name):
            _ask(dialects, name, methodcaller("verify_operation_attribute", op, name, attribute))
    if op.regions and (ARGUMENTS in op.held_attributes or RESULTS in op.held_attributes):
        for name, attribute in _described(op, ARGUMENTS):
            _ask(dialects, name, methodcaller("verify_region_argument_attribute", op, name, attribute))
        for name, attribute in _described(op, RESULTS):
            _ask(dialects, name, methodcaller("verify_region_result_attribute", op, name, attribute))


def _ask(dialects: Mapping[str, Dialect] | None, name: str, hook: Callable[[Dialect], None]) -> None:
    """Call ``hook`` with the dialect that the prefix of ``name`` names; do nothing if there is none in
    ``dialects``, or, without ``dialects``, in any context. Raises `VerifyError` if the dialect refuses, or,
    if several contexts have different dialects of this name, if all of them refuse.
    """
    refusal: VerifyError | None = None
    for dialect in _named(dialects, name.partition(".")[0]):
        try:
            return hook(dialect)
        except VerifyError as error:
            refusal = error
    if refusal is not None:
        raise refusal
    return None


def _named(dialects: Mapping[str, Dialect] | None, name: str) -> tuple[Dialect, ...]:
    if dialects is None:
        return LOADED.get(name, ())
    found = dialects.get(name)
    return () if found is None else (found,)


def _described(op: Operation, group: str) -> Iterator[tuple[str, Attribute]]:
    """Yield name and value of each attribute that a function holds for its arguments or results; ``group`` is
    `ARGUMENTS` or `RESULTS`. An attribute of another form than an array of dictionaries yields nothing.
    """
    dictionaries = op.held_attributes.get(group)
    for dictionary in dictionaries.elements if isinstance(dictionaries, ArrayAttr) else ():
        yield from dictionary if isinstance(dictionary, DictionaryAttr) else ()


def _check_attribute(field: AttributeField, attribute: Any) -> None:
    if not field.kind.accepts(attribute):
        raise VerifyError(
            f"attribute '{field.ir_name}' failed to satisfy constraint: {field.kind.description}"
        )


def _structure_check(kind: OperationKind) -> _Check:
    """Return a function that raises `VerifyError` if an operation of ``kind`` has a wrong number of regions,
    of successors, or of blocks in a region.
    """
    count = len(kind.regions)
    unusual = bool(kind.successors) or any(f.variadic or not f.single_block for f in kind.regions)

    def check(op: Operation) -> None:
        regions = op.regions
        if unusual or op.successors or len(regions) != count or any(len(r.blocks) != 1 for r in regions):
            _check_region_count(op, kind)
            _check_successor_count(op, kind)
            _check_regions(op, kind)

    return check


def _check_region_count(op: Operation, kind: OperationKind) -> None:
    fields = kind.regions
    variadic = any(field.variadic for field in fields)
    if len(op.regions) != len(fields) and not (variadic and len(op.regions) >= len(fields) - 1):
        wanted = {0: "requires zero regions", 1: "requires one region"}
        raise VerifyError(wanted.get(len(fields), f"expected {len(fields)} regions"))


def _check_successor_count(op: Operation, kind: OperationKind) -> None:
    fields, found = kind.successors, len(op.successors)
    required = sum(field.arity is Arity.ONE for field in fields)
    if found == required or (found > required and (required != len(fields) or not kind.is_terminator)):
        return
    least = "at least " if required != len(fields) else ""
    plural = "" if required == 1 and not least else "s"
    raise VerifyError(f"requires {least}{required} successor{plural} but found {found}")


def _check_regions(op: Operation, kind: OperationKind) -> None:
    fields = kind.regions
    for number, region in enumerate(op.regions):
        field = fields[min(number, len(fields) - 1)]
        count = len(region.blocks)
        if field.single_block and count != 1 and not (field.optional and count == 0):
            if count and op.kind.has_trait(SingleBlock):
                raise StructureError(f"expects region #{number} to have 0 or 1 blocks")
            name = field.ir_name or _camel_case(field.name)
            raise VerifyError(
                f"region #{number} ('{name}') failed to verify constraint: region with 1 blocks"
            )


def _camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _check_blocks(op: Operation) -> None:
    """Raise `StructureError` if a registered operation has successors and is no terminator, if a successor is
    in another region than `op`, or if a block is empty that must end in a terminator.
    """
    if op.successors and not op.kind.is_terminator and op.kind.is_registered:
        raise StructureError("has successors but is not a terminator")
    for successor in op.successors:
        if op.parent is not None and successor.parent is not op.parent.parent:
            raise StructureError("branches to a block that is not in the same region")
    for block in _ending_blocks(op):
        if block.last is None:
            if op.kind.has_trait(SingleBlock):
                raise StructureError("expects a non-empty block")
            raise StructureError("empty block: expect at least a terminator", prefix=False)


def _ending_blocks(op: Operation) -> Sequence[Block]:
    """Return the blocks in the regions of `op` that must end in a terminator: all of them, or none if `op`
    has the trait `NoTerminator` or is not registered.
    """
    kind, regions = op.kind, op.regions
    if not regions or NoTerminator in kind.trait_classes or not kind.is_registered:
        return ()
    return (
        regions[0].blocks if len(regions) == 1 else [block for region in regions for block in region.blocks]
    )


def _check_terminators(op: Operation) -> None:
    for block in _ending_blocks(op):
        last = block.last
        if last is not None and last.kind.is_registered and not last.kind.is_terminator:
            from tilewright.ir.text.printer import text_in_message

            message = f"block with no terminator, has {text_in_message(last)}"
            raise StructureError(message, prefix=False, op=last)
