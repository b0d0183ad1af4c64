"""Checks of a standard dialect against MLIR: instances of all operations, declarations, refusals.

Instances stand in a file ``instances.mlir``, separated by ``// -----``: whole modules, or single operations in generic
form whose operands ``%0``, ``%1``, ... are defined around them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import dialect_checks
from tests.support.mlir_tools import mlir_opt, operation_definitions
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.gpu.dialect import GPU
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.nvvm.dialect import NVVM
from tilewright.dialects.vector.dialect import VECTOR
from tilewright.driver.startup import dialect_object
from tilewright.ir.context import Context
from tilewright.ir.declaration.fields import MISSING, Arity
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.dialect import Dialect
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify

SEPARATOR = "// -----\n"
GENERIC = PrintOptions(generic=True, use_local_scope=True)
FLAGS = (
    "--split-input-file",
    "--mlir-print-op-generic",
    "--allow-unregistered-dialect",
    "--mlir-print-local-scope",
)


def context(*dialects: Dialect) -> Context:
    """A context that knows the given dialects and those they depend on, and takes everything else as it is."""
    needed = {name: partial(dialect_object, name) for name in ("ub", "arith")}
    return Context([BUILTIN, *dialects], allow_unregistered=True, available=needed)


def instances(path: Path) -> list[str]:
    """The modules of an instance file."""
    return [module(chunk) for chunk in path.read_text().split(SEPARATOR)]


def module(chunk: str) -> str:
    """A whole module for an instance: operands are defined in front of a single operation."""
    if chunk.startswith('"builtin.module"'):
        return chunk
    values = [
        f'  %{number} = "test.value"() : () -> {type}\n' for number, type in enumerate(_operand_types(chunk))
    ]
    return f'"builtin.module"() ({{\n{"".join(values)}  {chunk}}}) : () -> ()\n'


def _operand_types(operation: str) -> list[str]:
    """The operand types in the signature at the end of an operation."""
    for start in (match.end() for match in reversed(list(re.finditer(r" : (?=\()", operation)))):
        end = _closing(operation, start)
        if operation.startswith(" -> ", end):
            return _split(operation[start + 1 : end - 1])
    raise ValueError(f"no signature in {operation!r}")


def _closing(text: str, start: int) -> int:
    depth = 0
    for match in re.finditer(r"->|[()<>\[\]{}]", text[start:]):
        depth += 0 if match[0] == "->" else 1 if match[0] in "(<[{" else -1
        if depth == 0 and match[0] != "->":
            return start + match.end()
    raise ValueError(f"brackets do not balance in {text!r}")


def _split(types: str) -> list[str]:
    parts, depth = [""], 0
    for piece in re.findall(r"->|[()<>\[\]{},]|[^()<>\[\]{},\-]+|-", types):
        if piece == "," and depth == 0:
            parts.append("")
            continue
        depth += piece in ("(", "<", "[", "{")
        depth -= piece in (")", ">", "]", "}")
        parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


def operation_names(text: str) -> set[str]:
    """The names of all operations in a generic text."""
    return set(re.findall(r'"([a-z]\w*\.[\w.]+)"\(', text))


def first_problem(text: str, loaded: Context) -> str | None:
    """The first error of a module that parses, or None."""
    errors = verify(parse_module(loaded, text))
    return errors[0].message if errors else None


def round_trip(text: str, loaded: Context) -> str:
    """A module as we print it, after it was read, verified, printed and read again."""
    parsed = parse_module(loaded, text)
    assert [error.message for error in verify(parsed)] == []
    printed = parsed.print(GENERIC)
    assert parse_module(loaded, printed).print(GENERIC) == printed
    return printed


def check_agreement(texts: Iterable[str], loaded: Context) -> None:
    """Let ``mlir-opt`` read what we print; read what it prints, and print the same bytes."""
    printed = [round_trip(text, loaded) for text in texts]
    code, out, err = mlir_opt(f"\n{SEPARATOR}".join(printed), *FLAGS)
    assert code == 0, err
    answers = out.split(SEPARATOR)
    assert len(answers) == len(printed)
    for answer in answers:
        expected = answer.strip()
        again = parse_module(loaded, expected)
        assert [error.message for error in verify(again)] == []
        assert again.print(GENERIC).strip() == expected


def broken(path: Path) -> list[tuple[str, str]]:
    """The modules of a file of invalid modules, and the message in the first line of each."""
    chunks = [chunk.partition("\n") for chunk in path.read_text().split(SEPARATOR)]
    return [(text, comment.removeprefix("// error: ")) for comment, _, text in chunks]


def check_refusals(modules: Iterable[tuple[str, str]], loaded: Context) -> None:
    """We refuse invalid modules with their messages, word by word."""
    for text, message in modules:
        assert first_problem(text, loaded) == message


def reference_operations(source: str, dialect: str) -> dict[str, Any]:
    """MLIR's record of each operation of a dialect, by full name."""
    records = operation_definitions(source)
    found: dict[str, Any] = {}
    for key in records["!instanceof"]["Op"]:
        record = records[key]
        if records[record["opDialect"]["def"]]["name"] == dialect:
            found[f"{dialect}.{record['opName']}"] = record
    return found


def check_declarations(dialect: Dialect, source: str, *, different: Collection[str] = ()) -> None:
    """Names, arities, descriptions, defaults and assembly formats are those of MLIR's own declarations.

    Attributes may stand in another order: those that builders need come first.
    Operations that are declared otherwise on purpose are named in ``different``.
    """
    records = operation_definitions(source)
    theirs = reference_operations(source, dialect.name)
    for kind in all_kinds(dialect):
        if kind.name in theirs and kind.name not in different:
            defined = _definition(theirs[kind.name], records, [field.name for field in kind.operands])
            declared = _declaration(kind, defined["attributes"])
            assert declared == defined, f"{kind.name}\nours:   {declared}\ntheirs: {defined}"


def _declaration(kind: OperationKind, theirs: Mapping[str, Any]) -> dict[str, Any]:
    """Our declaration; attributes that MLIR does not describe are not compared in their description."""
    described = {name for name, (_, words) in theirs.items() if words}
    return {
        "operands": [_value_field(field) for field in kind.operands],
        "attributes": {
            field.ir_name: (_presence(field), field.kind.description if field.ir_name in described else "")
            for field in kind.attributes
        },
        "results": [_value_field(field) for field in kind.results],
        "regions": [field.name for field in kind.regions],
        "successors": [field.name for field in kind.successors],
        "format": getattr(kind.op_class, "assembly_format", None),
    }


def _value_field(field: Any) -> tuple[str, Arity, str]:
    return field.name, field.arity, field.constraint.description


def _presence(field: Any) -> str:
    if field.optional:
        return "optional"
    return "required" if field.default is MISSING else "default"


def _definition(record: Any, records: Any, names: Sequence[str]) -> dict[str, Any]:
    """MLIR's declaration; ``names`` stand in for the operands that have none there."""
    arguments = [
        (_unwrapped(records[part["def"]], records), name) for part, name in record["arguments"]["args"]
    ]
    values = [(definition, name) for definition, name in arguments if not _is_attribute(definition)]
    text = record["assemblyFormat"]
    return {
        "operands": [
            _value(definition, name or ours, records)
            for (definition, name), ours in zip(values, names, strict=True)
        ],
        "attributes": {n: (_defined_presence(d), d["summary"]) for d, n in arguments if _is_attribute(d)},
        "results": [
            _value(_unwrapped(records[part["def"]], records), name, records)
            for part, name in record["results"]["args"]
        ],
        "regions": [name for _, name in record["regions"]["args"]],
        "successors": [name for _, name in record["successors"]["args"]],
        "format": None if text is None else " ".join(text.split()),
    }


def _is_attribute(definition: Any) -> bool:
    return bool({"Attr", "Property"} & set(definition["!superclasses"]))


def _defined_presence(definition: Any) -> str:
    if definition.get("isOptional") and "DefaultValuedOptionalAttr" not in definition["!superclasses"]:
        return "optional"
    return "default" if definition.get("defaultValue") is not None else "required"


def _unwrapped(definition: Any, records: Any) -> Any:
    """The constraint inside of a described argument or result."""
    while "OpVariable" in definition["!superclasses"]:
        definition = records[definition["constraint"]["def"]]
    return definition


def _value(definition: Any, name: str | None, records: Any) -> tuple[str, Arity, str]:
    classes = definition["!superclasses"]
    arity = next((arity for word, arity in _ARITIES.items() if word in classes), Arity.ONE)
    if arity is not Arity.ONE:
        definition = _unwrapped(records[definition["baseType"]["def"]], records)
    return name or ("result" if arity is Arity.ONE else "results"), arity, definition["summary"]


_ARITIES = {
    "Variadic": Arity.VARIADIC,
    "VariadicOfVariadic": Arity.VARIADIC,
    "Optional": Arity.OPTIONAL,
}


def all_kinds(dialect: Dialect) -> list[OperationKind]:
    """The kinds of a dialect, sorted by name."""
    return sorted((op_class.op_kind for op_class in dialect.operations), key=lambda kind: kind.name)


def missing_instances(dialect: Dialect, texts: Iterable[str]) -> set[str]:
    """Operations of a dialect of which no text has an instance."""
    seen: set[str] = set().union(*map(operation_names, texts))
    return {kind.name for kind in all_kinds(dialect)} - seen


def check_breakages(dialect: Dialect, texts: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operand and result of a wrong type, missing attribute and wrong attribute is found."""
    known = {loaded.name for loaded in dialect_checks.DIALECTS}
    more = [extra for extra in (LLVM, MEMREF, NVVM, GPU, VECTOR) if extra.name not in known]
    monkeypatch.setattr(dialect_checks, "DIALECTS", (*dialect_checks.DIALECTS, *more))
    dialect_checks.check_single_breakages(dialect, texts)
