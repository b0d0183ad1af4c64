"""The pages of types, element types, enums and structured attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from tilewright.dialects.cuda_tile.availability import CLASS_SINCE, type_since
from tilewright.dialects.cuda_tile.version import V13_1
from tilewright.ir.attribute import Attribute, EnumAttribute, Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.dialect import Dialect
from tilewright.reference import markdown, subjects


def type_page(type_class: type[Attribute], dialect: Dialect | None = None) -> str:
    """Return the page of a type or structured attribute class. Without its `dialect` the page does not list
    the operations that use it.
    """
    summary, description = markdown.documentation(type_class)
    marker = "!" if issubclass(type_class, Type) else "#"
    return markdown.page(
        markdown.code(f"{marker}{type_class.name}"),
        summary,
        description,
        markdown.table(("fact", "value"), _type_facts(type_class)),
        markdown.section("Parameters", markdown.table(("name", "kind", "default"), _parameters(type_class))),
        markdown.section("Used by", _users(dialect, type_class)),
    )


def _type_facts(type_class: type[Attribute]) -> list[tuple[str, str]]:
    if not issubclass(type_class, Type) or not type_class.name.startswith("cuda_tile."):
        return []
    return [("since", f"bytecode {CLASS_SINCE.get(type_class, V13_1)}")]


def _parameters(type_class: type[Attribute]) -> Iterable[tuple[str, str, str]]:
    annotations: dict[str, Any] = {}
    for base in reversed(type_class.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    defaults: Mapping[str, Any] = type_class.parameter_defaults
    for name in type_class.parameters:
        shown = markdown.code(str(defaults[name])) if name in defaults else "required"
        # The page names the class, not the module that the source imports it from.
        kind = re.sub(r"\b[a-z]\w*\.(?=[A-Z])", "", str(annotations[name]))
        yield markdown.code(name), markdown.code(kind), shown


def _users(dialect: Dialect | None, attribute_class: type[Attribute]) -> str:
    """Return a Markdown list of the operations of `dialect` that have an attribute of the class, with its
    name; empty without a dialect.
    """
    if dialect is None:
        return ""
    found: list[str] = []
    for op_class in sorted(dialect.operations, key=lambda c: c.op_kind.name):
        kind = op_class.op_kind
        for field in kind.attributes:
            classes = getattr(field.kind, "attribute_class", None), getattr(field.kind, "classes", None)
            if attribute_class in classes:
                target = markdown.link(kind.mnemonic, f"../operations/{kind.mnemonic}.md")
                found.append(f"- {target}: {markdown.code(field.ir_name)}")
    return "\n".join(found)


def attribute_page(attribute_class: type[Attribute], dialect: Dialect | None = None) -> str:
    """Return the page of an attribute class: the cases of an enum, or the parameters of a structured one.
    Without its `dialect` the page does not list the operations that use it.
    """
    if not issubclass(attribute_class, EnumAttribute):
        return type_page(attribute_class, dialect)
    summary, description = markdown.documentation(attribute_class.enumeration)
    spelling, _ = markdown.documentation(attribute_class)
    return markdown.page(
        markdown.code(f"#{attribute_class.name}"),
        summary,
        description,
        spelling,
        markdown.section("Cases", markdown.table(("case", "number", "since"), _cases(attribute_class))),
        markdown.section("Used by", _users(dialect, attribute_class)),
    )


def _cases(attribute_class: type[EnumAttribute]) -> Iterable[tuple[str, str, str]]:
    since: Mapping[Enum, Any] | None = getattr(attribute_class, "case_since", None)
    for text, case in zip(attribute_class.cases(), attribute_class.enumeration, strict=True):
        version = "-" if since is None else str(since.get(case, V13_1))
        yield markdown.code(text), str(case.value), version


def element_page(element: Type) -> str:
    """Return the Markdown page of an element type: the first version of the bytecode with it, its width, and
    the format of a floating-point type.
    """
    facts = [("since", f"bytecode {type_since(element)}")]
    if isinstance(element, FloatType):
        facts += _float_facts(element)
    elif isinstance(element, IntegerType):
        facts += [("bits", str(element.width)), ("sign", "none: operations say how they read it")]
    kind = "floating-point" if isinstance(element, FloatType) else "integer"
    return markdown.page(
        markdown.code(subjects.element_name(element)),
        f"An element type: {kind}.",
        markdown.table(("fact", "value"), facts),
    )


def _float_facts(element: FloatType) -> list[tuple[str, str]]:
    layout = element.format
    zero = "yes" if layout.has_zero else "no"
    return [
        ("bits", str(layout.bits)),
        ("sign bit", "yes" if layout.signed else "no"),
        ("exponent", f"{layout.exponent_bits} bits, bias {layout.bias}"),
        ("mantissa", f"{layout.mantissa_bits} bits"),
        ("special values", layout.specials.value),
        ("zero", zero),
    ]
