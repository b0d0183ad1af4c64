"""What the tests of all standard dialects do: round trips, agreement with MLIR, single broken rules."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.support.mlir_tools import (
    FirstError,
    custom_forms,
    first_errors,
    generic_forms,
    located_errors,
    operation_definitions,
)
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.cf.dialect import CF
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.math.dialect import MATH
from tilewright.dialects.scf.dialect import SCF
from tilewright.dialects.ub.dialect import UB
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    FunctionType,
    IntegerType,
    MemRefType,
    RankedTensorType,
    f32,
    i1,
    i32,
    index,
    none,
)
from tilewright.ir.context import Context
from tilewright.ir.declaration.constraint import Constraint
from tilewright.ir.declaration.fields import MISSING, Arity
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.dialect import Dialect
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.ir.verifier import check_operation, verify
from tilewright.pdl.dialects.pdl.dialect import PDL
from tilewright.pdl.dialects.pdl_interp.dialect import PDL_INTERP

DIALECTS = (BUILTIN, FUNC, UB, ARITH, MATH, CF, SCF, PDL, PDL_INTERP)
GENERIC = PrintOptions(generic=True)


def standard_context() -> Context:
    """A context that has the standard dialects and keeps attributes of others, such as ``#gpu.thread<x>``."""
    return Context(DIALECTS, allow_unregistered=True)


def function(body: str, **arguments: str) -> str:
    """A module in generic form with one function that takes the arguments and runs the body."""
    listed = ", ".join(f"%{name}: {type}" for name, type in arguments.items())
    header = f"^bb0({listed}):\n" if arguments else ""
    return (
        '"builtin.module"() ({\n'
        f'"func.func"() <{{function_type = ({", ".join(arguments.values())}) -> (), sym_name = "f"}}> ({{\n'
        f"{header}{body}\n"
        '"func.return"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n'
    )


def parse_valid(text: str) -> Operation:
    """The module of a text, which must be valid."""
    module = parse_module(standard_context(), text)
    errors = [str(error) for error in verify(module)]
    assert not errors, f"{text}\n{errors}"
    return module


def parsed(modules: Sequence[str]) -> list[Operation]:
    """The modules of texts, which must be valid."""
    return [parse_valid(text) for text in modules]


def check_round_trips(modules: Sequence[str]) -> None:
    """What we print of a module in generic form reads back as the same module and prints the same."""
    for text in modules:
        module = parse_valid(text)
        printed = module.print(GENERIC)
        again = parse_valid(printed)
        assert difference(module, again) is None
        assert again.print(GENERIC) == printed


def check_mlir_agrees(modules: Sequence[str]) -> None:
    """mlir-opt accepts what we print, and we accept what it prints and print the same."""
    printed = tuple(module.print(GENERIC).strip() for module in parsed(modules))
    for ours, theirs in zip(printed, generic_forms(printed), strict=True):
        again = parse_valid(theirs).print(GENERIC).strip()
        assert again == theirs, f"we read\n{theirs}\nbut print\n{again}"
        assert theirs == ours, f"we print\n{ours}\nbut MLIR\n{theirs}"


def first_message(text: str) -> str | None:
    """The first message of our verifier for a text; None if the module is valid."""
    errors = verify(parse_module(standard_context(), text))
    return errors[0].message if errors else None


Broken = tuple[str, str]
"""A module and the message that refuses it."""


def check_refusals(broken: Sequence[Broken]) -> None:
    """Our verifier refuses modules with the given messages."""
    for text, message in broken:
        ours = first_message(text)
        assert ours == message, f"{text}\nours:     {ours}\nexpected: {message}"


def check_mlir_refuses(broken: Sequence[Broken]) -> None:
    """mlir-opt refuses the same modules with the same messages."""
    theirs = first_errors(tuple(text for text, _ in broken))
    for (text, message), answer in zip(broken, theirs, strict=True):
        assert answer == message, f"{text}\ntheirs:   {answer}\nexpected: {message}"


def operations_in(modules: Sequence[str]) -> Iterator[Operation]:
    """All operations of modules."""
    for module in parsed(modules):
        yield from module.walk()


def check_every_operation_appears(dialect: Dialect, modules: Sequence[str]) -> None:
    """The modules use every operation of a dialect."""
    used = {op.name for op in operations_in(modules)}
    assert sorted({op.op_kind.name for op in dialect.operations} - used) == []


def check_places(modules: Sequence[str]) -> None:
    """The first error that we report in each module stands where mlir-opt reports it, in the same words."""
    for text, theirs in zip(modules, located_errors(tuple(modules)), strict=True):
        error = verify(parse_module(standard_context(), text))[0]
        source = error.location.source if error.location is not None else None
        assert source is not None, text
        ours = FirstError(*source[1:], error.message)
        assert ours == theirs, f"{text}\nours:   {ours}\ntheirs: {theirs}"


WRONG_TYPES: tuple[Type, ...] = (
    none,
    f32,
    i1,
    i32,
    index,
    IntegerType(8, "signed"),
    MemRefType((2,), none),
    RankedTensorType((2,), none),
    FunctionType((), ()),
)


def wrong_type(constraint: Constraint) -> Type | None:
    """A type that breaks a constraint, or None if every type satisfies it."""
    return next((type for type in WRONG_TYPES if not constraint.matches(type)), None)


def check_single_breakages(dialect: Dialect, modules: Sequence[str]) -> None:
    """Every operand of a wrong type, missing attribute and wrong attribute is found."""
    for op in list(operations_in(modules)):
        if op.kind.dialect == dialect.name:
            _break_operands(op)
            _break_results(op)
            _break_attributes(op)


def _message(op: Operation) -> str:
    try:
        check_operation(op)
    except VerifyError as error:
        return error.message
    return ""


def _fields(op: Operation, group: str) -> Iterator[tuple[int, Any]]:
    kind = op.kind
    sizes = kind.operand_sizes(op) if group == "operand" else kind.result_sizes(op)
    fields: Sequence[Any] = kind.operands if group == "operand" else kind.results
    position = 0
    for field, size in zip(fields, sizes, strict=True):
        for _ in range(size):
            yield position, field
            position += 1


def _expected(field: Any, group: str, position: int, type: Type) -> str:
    prefix = "variadic of " if field.arity is Arity.VARIADIC else ""
    return f"{group} #{position} must be {prefix}{field.constraint.description}, but got '{type}'"


def _break_operands(op: Operation) -> None:
    for position, field in _fields(op, "operand"):
        type = wrong_type(field.constraint)
        if type is None:
            continue
        before = op.operands
        op.set_operand(position, Value(type, op, 0))
        assert _message(op) == _expected(field, "operand", position, type), op.name
        op.set_operands(before)
        assert _message(op) == "", op.name


def _break_results(op: Operation) -> None:
    for position, field in _fields(op, "result"):
        type = wrong_type(field.constraint)
        if type is None:
            continue
        result = op.results[position]
        before, result.type = result.type, type
        assert _message(op) == _expected(field, "result", position, type), op.name
        result.type = before
        assert _message(op) == "", op.name


def _break_attributes(op: Operation) -> None:
    for field in op.kind.attributes:
        before = dict(op.attributes)
        op.attributes.pop(field.ir_name, None)
        if not field.optional and field.default is MISSING:
            assert _message(op) == f"requires attribute '{field.ir_name}'"
        unit = field.kind.to_attribute(True) if field.kind.description == "unit attribute" else None
        wrong = next((a for a in _wrong_attributes() if not field.kind.accepts(a) and a is not unit), None)
        if wrong is not None:
            op.attributes[field.ir_name] = wrong
            expected = f"attribute '{field.ir_name}' failed to satisfy constraint: {field.kind.description}"
            assert _message(op) == expected, op.name
        op.attributes.clear()
        op.attributes.update(before)


def _wrong_attributes() -> tuple[Any, ...]:
    from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, UnitAttr

    return UnitAttr(), DictionaryAttr(()), ArrayAttr((UnitAttr(),))


def check_declarations(dialect: Dialect, source: str) -> None:
    """Names, arities, descriptions, defaults and assembly formats are those of MLIR's own declarations."""
    records = operation_definitions(source)
    theirs = {
        f"{records[records[name]['opDialect']['def']]['name']}.{records[name]['opName']}": records[name]
        for name in records["!instanceof"]["Op"]
    }
    ours = {op.op_kind.name: op.op_kind for op in dialect.operations}
    assert sorted(theirs) == sorted(ours)
    for name, record in theirs.items():
        declared, defined = _declared(ours[name]), _defined(record, records)
        assert declared == defined, f"{name}\nours:   {declared}\ntheirs: {defined}"
        formats = _format_of(ours[name]), _normal(record["assemblyFormat"])
        assert formats[0] == formats[1], f"{name}\nours:   {formats[0]}\ntheirs: {formats[1]}"


def _normal(text: str | None) -> str | None:
    """An assembly format without the spaces that mean nothing."""
    if text is None:
        return None
    pieces = re.findall(r"`[^`]*`|[^`\s]+", text)
    return re.sub(r" ?([()<>,]) ?", r"\1", " ".join(pieces))


def _format_of(kind: OperationKind) -> str | None:
    return _normal(getattr(kind.op_class, "assembly_format", None))


def _declared(kind: OperationKind) -> dict[str, Any]:
    """What a declaration of ours says, in the form of `_defined`."""
    return {
        "operands": [(f.name, _arity(f), f.constraint.description) for f in kind.operands],
        "attributes": [
            (f.ir_name, f.optional, f.default is not MISSING and not f.optional, f.kind.description)
            for f in kind.attributes
        ],
        "results": [(f.name, _arity(f), f.constraint.description) for f in kind.results],
        "regions": [f.name for f in kind.regions],
        "successors": [f.name for f in kind.successors],
    }


def _arity(field: Any) -> str:
    return {Arity.ONE: "", Arity.OPTIONAL: "Optional", Arity.VARIADIC: "Variadic"}[field.arity]


def _defined(record: dict[str, Any], records: dict[str, Any]) -> dict[str, Any]:
    arguments = [(records[part["def"]], name) for part, name in record["arguments"]["args"]]
    values = [(r, n) for r, n in arguments if "Attr" not in r["!superclasses"]]
    attributes = [(r, n) for r, n in arguments if "Attr" in r["!superclasses"]]
    results = [(records[part["def"]], name) for part, name in record["results"]["args"]]
    return {
        "operands": [_defined_value(r, n) for r, n in values],
        "attributes": [_defined_attribute(r, n) for r, n in attributes],
        "results": [_defined_value(r, n) for r, n in results],
        "regions": [name for _, name in record["regions"]["args"]],
        "successors": [name for _, name in record["successors"]["args"]],
    }


def _defined_value(record: dict[str, Any], name: str | None) -> tuple[str, str, str]:
    arity = next((a for a in ("Optional", "Variadic") if a in record["!superclasses"]), "")
    if "VariadicOfVariadic" in record["!superclasses"]:
        arity = "Variadic"
    summary = record["summary"].removeprefix("variadic of ")
    return name or ("results" if arity else "result"), arity, summary


def _defined_attribute(record: dict[str, Any], name: str) -> tuple[str, bool, bool, str]:
    optional = bool(record["isOptional"])
    default = bool(record["defaultValue"]) and not optional
    return name, optional, default, record["summary"]


@functools.cache
def standard_modules() -> tuple[str, ...]:
    """The sample modules of all standard dialects."""
    from tests.dialects.arith.samples import SAMPLES as arith
    from tests.dialects.builtin.samples import SAMPLES as builtin
    from tests.dialects.cf.samples import SAMPLES as cf
    from tests.dialects.func.samples import SAMPLES as func
    from tests.dialects.math.samples import SAMPLES as math
    from tests.dialects.pdl.samples import SAMPLES as pdl
    from tests.dialects.pdl_interp.samples import SAMPLES as pdl_interp
    from tests.dialects.scf.samples import SAMPLES as scf
    from tests.dialects.ub.samples import SAMPLES as ub

    return (*builtin, *func, *ub, *arith, *math, *cf, *scf, *pdl, *pdl_interp)


UNREADABLE = (
    re.compile(r"rewrite %\d+ \{\s*\}"),  # refused: the block that is not there
    re.compile(
        r"cf\.switch %\w+ : (?:i1,|i64, \[[^]]*18446744073709551615:)"
    ),  # crashes: not a signed number
)
"""What mlir-opt 22 prints and cannot read; we do."""


def check_mlir_agrees_on_custom_form(modules: Sequence[str]) -> None:
    """mlir-opt prints the same custom form, and prints it again from what we print."""
    printed = tuple(module.print().strip() for module in parsed(modules))
    for ours, theirs in zip(printed, custom_forms(tuple(modules)), strict=True):
        assert theirs == ours, f"we print\n{ours}\nbut MLIR\n{theirs}"
    readable = tuple(text for text in printed if not any(pattern.search(text) for pattern in UNREADABLE))
    for ours, again in zip(readable, custom_forms(readable), strict=True):
        assert again == ours, f"MLIR reads\n{ours}\nbut prints\n{again}"


def check_custom_form_reads_back(modules: Sequence[tuple[str, str]]) -> None:
    """What we print of each first module in custom form reads back as the second one."""
    for text, wanted in modules:
        printed = parse_valid(text).print()
        found = difference(parse_valid(printed), parse_valid(wanted))
        assert found is None, f"reads back differently: {found}\n{printed}"
