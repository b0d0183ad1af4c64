"""Checks of a standard dialect against MLIR: instances of all operations, declarations, refusals.

Instances stand in a file ``instances.mlir``, separated by ``// -----``: whole modules, or single operations in generic
form whose operands ``%0``, ``%1``, ... are defined around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.support.mlir_tools import mlir_opt, operation_definitions
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.ir.context import Context
from tilewright.ir.declaration import MISSING, Arity
from tilewright.ir.dialect import Dialect
from tilewright.ir.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.text.options import PrintOptions
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
    """A context that knows the given dialects and takes everything else as it is."""
    return Context([BUILTIN, *dialects], allow_unregistered=True)


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
    assert verify(parsed) == []
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
        assert parse_module(loaded, expected).print(GENERIC).strip() == expected


def reference_operations(source: str, dialect: str) -> dict[str, Any]:
    """MLIR's record of each operation of a dialect, by full name; the record of all others under ``""``."""
    records = operation_definitions(source)
    found: dict[str, Any] = {}
    for key in records["!instanceof"]["Op"]:
        record = records[key]
        if records[record["opDialect"]["def"]]["name"] == dialect:
            found[f"{dialect}.{record['opName']}"] = record
    return {**found, "": records}


def check_declaration(kind: OperationKind, reference: Mapping[str, Any]) -> None:
    """Compare names, order and arity of all fields, and the assembly format, with MLIR's declaration."""
    records, record = reference[""], reference[kind.name]
    operands, attributes = _arguments(records, record)
    assert [(field.name, field.arity) for field in kind.operands] == operands
    assert {field.ir_name: _presence(field) for field in kind.attributes} == attributes
    results = [_arity(records, argument) for argument, _ in record["results"]["args"]]
    assert [field.arity for field in kind.results] == results
    assert len(kind.regions) == len(record["regions"]["args"])
    assert len(kind.successors) == len(record["successors"]["args"])
    assert getattr(kind.op_class, "assembly_format", None) == _normal(record["assemblyFormat"])


def _normal(assembly_format: str | None) -> str | None:
    return None if assembly_format is None else " ".join(assembly_format.split())


def _presence(field: Any) -> str:
    if field.optional:
        return "optional"
    return "required" if field.default is MISSING else "default"


def _arguments(records: Any, record: Any) -> tuple[list[tuple[str, Arity]], dict[str, str]]:
    operands: list[tuple[str, Arity]] = []
    attributes: dict[str, str] = {}
    for position, (argument, name) in enumerate(record["arguments"]["args"]):
        definition = _unwrapped(records, records[argument["def"]])
        classes = definition["!superclasses"]
        if "Attr" in classes or "Property" in classes:
            attributes[name] = _attribute_presence(definition)
        else:
            operands.append((name or ("lhs", "rhs")[position], _arity(records, argument)))
    return operands, attributes


def _attribute_presence(definition: Any) -> str:
    classes = definition["!superclasses"]
    if "OptionalAttr" in classes or definition["!name"] == "UnitAttr":
        return "optional"
    return "default" if definition.get("defaultValue") is not None else "required"


def _unwrapped(records: Any, definition: Any) -> Any:
    """The constraint inside of a description of an argument."""
    while "OpVariable" in definition["!superclasses"]:
        definition = records[definition["constraint"]["def"]]
    return definition


def _arity(records: Any, argument: Any) -> Arity:
    classes = _unwrapped(records, records[argument["def"]])["!superclasses"]
    if "Variadic" in classes or "VariadicOfVariadic" in classes:
        return Arity.VARIADIC
    return Arity.OPTIONAL if "Optional" in classes else Arity.ONE


def all_kinds(dialect: Dialect) -> list[OperationKind]:
    """The kinds of a dialect, sorted by name."""
    return sorted((op_class.op_kind for op_class in dialect.operations), key=lambda kind: kind.name)


def missing_instances(dialect: Dialect, texts: Iterable[str]) -> set[str]:
    """Operations of a dialect of which no text has an instance."""
    seen: set[str] = set().union(*map(operation_names, texts))
    return {kind.name for kind in all_kinds(dialect)} - seen


def operations(root: Operation) -> list[Operation]:
    """All operations of a module, the module first."""
    return list(root.walk())
