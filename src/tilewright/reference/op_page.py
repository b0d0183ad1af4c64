"""The page of one operation, from its declaration."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any

from tilewright.dialects.common.kinds import IntegerEnumKind
from tilewright.ir.declaration.attribute_kind import AttributeKind, EnumKind, InstanceKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.enum_attribute import spelling
from tilewright.ir.declaration.fields import (
    MISSING,
    Arity,
    AttributeField,
    OperandField,
    OpField,
    RegionField,
    ResultField,
)
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.declaration.traits import HasParent, ImplicitTerminator, Matching, Trait
from tilewright.reference import markdown

SEPARATOR = "// -----"


@cache
def example_modules(group: str) -> dict[str, str]:
    """Return the texts of the example modules of a group of operations, by the mnemonic of the operation that
    each is about. Empty for a group without examples.
    """
    file = resources.files("tilewright.reference") / "examples" / f"{markdown.slug(group)}.mlir"
    if not file.is_file():
        return {}
    found: dict[str, str] = {}
    for part in file.read_text(encoding="utf-8").split(SEPARATOR):
        lines = part.strip().splitlines()
        start = next(number for number, line in enumerate(lines) if not line.startswith("//") and line)
        found[lines[start - 1].removeprefix("//").strip()] = "\n".join(lines[start:]) + "\n"
    return found


def example_module(kind: OperationKind) -> str | None:
    """Return the module with the example of an operation; None if there is no example."""
    return example_modules(getattr(kind.op_class, "group", "")).get(kind.mnemonic)


def example(kind: OperationKind) -> str | None:
    """Return the lines of the operation itself, with its regions, from its example, without the module around
    it and its indentation. None if the operation has no example.
    """
    module = example_module(kind)
    if module is None:
        return None
    lines = module.splitlines()
    start = next(number for number, line in enumerate(lines) if f'"{kind.name}"(' in line)
    indentation = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    if lines[start].endswith("({"):
        closing = " " * indentation + "}) : "
        end = next(n for n in range(start, len(lines)) if lines[n].startswith(closing)) + 1
    return "\n".join(line[indentation:] for line in lines[start:end])


VALUE_HEADER = ("name", "type", "number", "since", "meaning")
ATTRIBUTE_HEADER = ("name", "value", "default", "since", "meaning")


def op_page(kind: OperationKind) -> str:
    """Return the Markdown page of an operation: summary, description, facts, tables of its operands,
    attributes, results, regions and successors, its rules, and its example. Empty sections are left out.
    """
    summary, description = markdown.documentation(kind.op_class)
    return markdown.page(
        markdown.code(kind.name),
        summary,
        description,
        _facts(kind),
        markdown.section(
            "Operands", markdown.table(VALUE_HEADER, [_value(kind, field) for field in kind.operands])
        ),
        markdown.section(
            "Attributes",
            markdown.table(ATTRIBUTE_HEADER, [_attribute(kind, field) for field in kind.attributes]),
        ),
        markdown.section(
            "Results", markdown.table(VALUE_HEADER, [_value(kind, field) for field in kind.results])
        ),
        markdown.section(
            "Regions", markdown.table(("name", "blocks", "meaning"), map(_region, kind.regions))
        ),
        markdown.section(
            "Successors",
            markdown.table(("name", "meaning"), [(markdown.code(f.name), f.doc) for f in kind.successors]),
        ),
        markdown.section("Rules", _rules(kind)),
        markdown.section("Example", _example(kind)),
    )


def since_of(kind: OperationKind, field: OpField | None = None) -> str:
    """Return the first version with an operation, or with its field `field` (None, or a field without a
    version of its own: the version of the operation). Return a dash for dialects without versions.
    """
    own = getattr(kind.op_class, "since", None)
    since = field.since if field is not None and field.since is not None else own
    return str(since) if since is not None else "-"


def _facts(kind: OperationKind) -> str:
    op_class: Any = kind.op_class
    rows: list[tuple[str, str]] = []
    if hasattr(op_class, "group"):
        rows.append(("group", op_class.group))
    if hasattr(op_class, "since"):
        rows.append(("since", f"bytecode {op_class.since}"))
    if hasattr(op_class, "opcode"):
        rows.append(("opcode", markdown.code(f"0x{op_class.opcode:02X}")))
    return markdown.table(("fact", "value"), rows)


def _value(kind: OperationKind, field: OperandField | ResultField) -> Sequence[str]:
    constraint = field.constraint
    shown = constraint.description
    if isinstance(constraint, TypeVariable):
        shown = f"{markdown.code(constraint.name)}: {shown}"
    number = {Arity.ONE: "1", Arity.OPTIONAL: "0 or 1", Arity.VARIADIC: "any"}[field.arity]
    return markdown.code(field.name), shown, number, since_of(kind, field), field.doc


def _attribute(kind: OperationKind, field: AttributeField) -> Sequence[str]:
    return (
        markdown.code(field.ir_name),
        attribute_value(field.kind),
        _default(field),
        since_of(kind, field),
        field.doc,
    )


def attribute_value(kind: AttributeKind) -> str:
    """Return a description of an attribute's value, with links to the pages of enums and structured
    attributes.
    """
    if isinstance(kind, EnumKind):
        return markdown.link(kind.attribute_class.name, _attribute_target(kind.attribute_class.name))
    if isinstance(kind, InstanceKind) and not isinstance(kind.classes, tuple) and kind.classes.name:
        return markdown.link(kind.classes.name, _attribute_target(kind.classes.name))
    if isinstance(kind, IntegerEnumKind):
        return f"one of {', '.join(f'{markdown.code(spelling(case))} ({case.value})' for case in kind.enumeration)}"
    return kind.description


def _attribute_target(name: str) -> str:
    dialect, _, short = name.partition(".")
    return f"../../{dialect}/attributes/{short}.md"


def _default(field: AttributeField) -> str:
    if field.optional or field.default is None:
        return "absent"
    if field.default is MISSING:
        return "required"
    shown = field.kind.from_attribute(field.default)
    return markdown.code(spelling(shown) if isinstance(shown, Enum) else str(shown))


def _region(field: RegionField) -> Sequence[str]:
    blocks = "one" if field.single_block else "any number"
    return markdown.code(field.name), f"{blocks}, or none" if field.optional else blocks, field.doc


def _rules(kind: OperationKind) -> str:
    shared = _shared_types(kind)
    return "\n".join(f"- {rule}" for rule in (*shared, *map(_trait, kind.traits)))


def _shared_types(kind: OperationKind) -> list[str]:
    fields: list[OperandField | ResultField] = [*kind.operands, *kind.results]
    variables = dict.fromkeys(f.constraint for f in fields if isinstance(f.constraint, TypeVariable))
    rules: list[str] = []
    for variable in variables:
        names = [markdown.code(field.name) for field in fields if field.constraint is variable]
        if len(names) > 1:
            rules.append(f"{', '.join(names)} have the same type {markdown.code(variable.name)}.")
    return rules


def _trait(trait: Trait) -> str:
    """Return a description of a trait: of its parameters, else the summary of its class."""
    if isinstance(trait, HasParent):
        return f"Stands directly inside {' or '.join(map(markdown.code, trait.names))}."
    if isinstance(trait, ImplicitTerminator):
        return f"Blocks end in {' or '.join(map(markdown.code, (trait.name, *trait.also)))}."
    if isinstance(trait, Matching):
        return f"All of {', '.join(map(markdown.code, trait.shown))} have {trait.words}."
    summary, _ = markdown.documentation(type(trait))
    described = trait.description
    if described == type(trait).__name__:
        return f"{described}: {summary[0].lower()}{summary[1:]}" if summary else f"{described}."
    return described if described.endswith(".") else f"{described}."


def _example(kind: OperationKind) -> str:
    text = example(kind)
    return markdown.block("mlir", text) if text is not None else ""
