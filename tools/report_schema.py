"""The JSON Schema of all reports, and their page of the reference, from the declarations in `shapes`."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from tilewright.cli import report_shapes as shapes, verdict_shapes
from tilewright.cli.diagnostic_formats import SCHEMA_VERSION

Object = dict[str, Any]
REPORTS: dict[str, Any] = {
    "run": shapes.Run,
    "compare": verdict_shapes.ComparisonReport,
    "verify": shapes.Verification | verdict_shapes.ProofReport,
    "diff": shapes.Difference,
    "compile": shapes.CompilationReport,
    "inspect": shapes.InspectionReport | shapes.CubinInspection,
    "sass": shapes.MachineReport,
    "ptx assemble": shapes.AssemblyReport,
    "sim": shapes.Simulation,
    "layout": shapes.LayoutReport,
    "schedule": shapes.ScheduleReport,
    "doctor": shapes.Installation,
    "explain": shapes.ExplanationReport,
    "registry": list[shapes.Registered],
    "abi list": list[shapes.ByteLayout],
    "cache ls": list[shapes.CacheRecord],
    "cache verify": shapes.CacheCheck,
    "cache prune": shapes.CacheRemoval,
    "cache clear": shapes.CacheRemoval,
}
"""The declaration of each command's report."""
OPEN: dict[Any, Any] = {
    shapes.Claim: Any,
    shapes.InspectionReport: list[shapes.Claim],
    shapes.LayoutReport: Any,
}
"""Objects with further keys, which depend on the subject, and the values of these keys."""
_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(*, closed: bool = False) -> Object:
    """Return the schema of all reports: one definition for each command, and one for each object in them.

    Programs should expect further keys, so the schema allows them, unless it is ``closed``, as tests want it.
    """
    definitions: Object = {}
    commands = {name: _schema_of(kind, definitions, closed) for name, kind in REPORTS.items()}
    return {
        "$schema": _DRAFT,
        "$id": f"urn:tilewright:reports:{SCHEMA_VERSION}",
        "title": "Reports of tilewright's commands",
        "description": "The report of a command is the definition with the command's name.",
        "$defs": commands | dict(sorted(definitions.items())),
    }


def of_command(name: str, *, closed: bool = False) -> Object:
    """Return a schema that the report of a command fulfils."""
    return schema(closed=closed) | {"$ref": f"#/$defs/{name.replace(' ', '%20')}"}


def _schema_of(kind: Any, definitions: Object, closed: bool) -> Object:
    """Return the schema of an annotation; objects that it names are added to the definitions."""
    origin, parameters = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if origin is Literal:
        return {"enum": list(parameters)}
    if origin is Annotated:
        return _schema_of(parameters[0], definitions, closed) | {"description": parameters[1]}
    if origin is NotRequired:
        return _schema_of(parameters[0], definitions, closed)
    if origin in (Union, types.UnionType):
        return _any_of([_schema_of(one, definitions, closed) for one in parameters])
    if origin is list:
        return {"type": "array", "items": _schema_of(parameters[0], definitions, closed)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema_of(parameters[1], definitions, closed)}
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # an object may name itself
        definitions[kind.__name__] = _object_of(kind, definitions, closed)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _any_of(schemas: list[Object]) -> Object:
    simple = [one["type"] for one in schemas if one.keys() == {"type"}]
    return {"type": simple} if len(simple) == len(schemas) else {"anyOf": schemas}


def _object_of(kind: Any, definitions: Object, closed: bool) -> Object:
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    found: Object = {
        "type": "object",
        "description": inspect.getdoc(kind),
        "properties": {key: _schema_of(one, definitions, closed) for key, one in hints.items()},
        "required": [key for key, one in hints.items() if get_origin(one) is not NotRequired],
    }
    if kind in OPEN:
        return found | {"additionalProperties": _schema_of(OPEN[kind], definitions, closed)}
    return found | ({"additionalProperties": False} if closed else {})


def page() -> str:
    """Return the page of the reference: the report of each command, then the objects with their keys."""
    found = schema()["$defs"]
    rows = "\n".join(f"| `tilewright {name}` | {_words(found[name])} |" for name in REPORTS)
    objects = [_section(name, one) for name, one in found.items() if name not in REPORTS]
    return (
        "# Reports as JSON\n\nThis page is generated: `pytest tests/cli/test_reports.py --bless`.\n\n"
        "With `--json` commands print reports for programs. Their JSON Schema is\n"
        "[`reports.schema.json`](reports.schema.json): the definition with the name of a command describes\n"
        "its report. An installation has the same file as `reports.schema.json` of the package\n"
        "`tilewright.cli`. Keys may be added; a key that goes away or changes its meaning raises the version,\n"
        f"which is {SCHEMA_VERSION} now and stands in the key `schema`. `run` and `verify` write findings as SARIF 2.1.0, "
        "too:\n`--output-format=sarif`.\n\n"
        f"| command | report |\n| --- | --- |\n{rows}\n\n" + "\n".join(objects)
    )


def _section(name: str, one: Object) -> str:
    return "\n".join([f"## {name}\n", f"{one['description']}\n", *_rows(one), ""])


def _rows(one: Object) -> Iterator[str]:
    yield "| key | value | |\n| --- | --- | --- |"
    for key, value in one["properties"].items():
        absent = "" if key in one["required"] else "; may be absent"
        yield f"| `{key}` | {_words(value)}{absent} | {value.get('description', '')} |"


def _words(value: Object) -> str:
    """A schema in words, with links to the objects."""
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(map(_words, value["anyOf"]))
    if value.get("type") == "array":
        return f"list of {_words(value['items'])}"
    if value.get("type") == "object":
        return f"object of {_words(value['additionalProperties'])}"
    kinds = value.get("type", "anything")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
