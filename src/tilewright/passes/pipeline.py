"""Textual pipelines: ``builtin.module(canonicalize,func.func(cse{option=1 flag}))``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from enum import EnumMeta
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.strings import nearest
from tilewright.passes import codes, manager as passes_manager, pass_

_TOKEN = re.compile(r"\s*(?:([\w.$\-]+)|(\S))")
_OPTION = re.compile(r"\s*([\w\-]+)(?:=(\{[^{}]*\}|\"(?:[^\"\\]|\\.)*\"|[^\s{}]+))?", re.DOTALL)


def parse_pipeline(
    text: str, context: Context, registry: Mapping[str, type[pass_.Pass]], *, anchor: str = "builtin.module"
) -> passes_manager.PassManager:
    """Return a pass manager from its text; without an outer anchor the passes run on ``anchor``. ``registry``
    maps the names of passes to their classes.

    Raises `DiagnosticError` naming the column, the nearest known pass, or the option that does not fit.
    """
    return _PipelineParser(text, context, registry).parse(anchor)


class _PipelineParser:
    def __init__(self, text: str, context: Context, registry: Mapping[str, type[pass_.Pass]]) -> None:
        self.text = text
        self.position = 0
        self.context = context
        self.registry = registry

    def parse(self, anchor: str) -> passes_manager.PassManager:
        start = self.position
        name = self._word()
        if name is not None and self._accept("("):
            manager = passes_manager.PassManager(self.context, name)
            self._items(manager)
            self._expect(")")
        else:
            self.position = start
            manager = passes_manager.PassManager(self.context, anchor)
            self._items(manager)
        if self._peek():
            raise self._error(f"unexpected '{self._peek()}'")
        return manager

    def _items(self, manager: passes_manager.PassManager) -> None:
        if self._peek() in ("", ")"):
            return
        self._item(manager)
        while self._accept(","):
            self._item(manager)

    def _item(self, manager: passes_manager.PassManager) -> None:
        name = self._word()
        if name is None:
            raise self._error(f"expected a pass name, got '{self._peek()}'")
        if self._accept("("):
            self._items(manager.nest(name))
            self._expect(")")
            return
        manager.add(make_pass(name, self._options(), self.registry))

    def _options(self) -> dict[str, str]:
        if not self._accept("{"):
            return {}
        options: dict[str, str] = {}
        while not self._accept("}"):
            found = _OPTION.match(self.text, self.position)
            if found is None:
                raise self._error("expected an option or '}'")
            self.position = found.end()
            options[found[1]] = _unquoted(found[2] or "true")
        return options

    def _peek(self) -> str:
        found = _TOKEN.match(self.text, self.position)
        return (found[1] or found[2]) if found else ""

    def _word(self) -> str | None:
        found = _TOKEN.match(self.text, self.position)
        if found is None or found[1] is None:
            return None
        self.position = found.end()
        return found[1]

    def _accept(self, punctuation: str) -> bool:
        found = _TOKEN.match(self.text, self.position)
        if found is None or found[2] != punctuation:
            return False
        self.position = found.end()
        return True

    def _expect(self, punctuation: str) -> None:
        if not self._accept(punctuation):
            raise self._error(f"expected '{punctuation}', got '{self._peek() or 'the end'}'")

    def _error(self, message: str) -> DiagnosticError:
        pointer = f"{self.text}\n{' ' * self.position}^"
        return failure(
            codes.PIPELINE_SYNTAX, f"{message} at column {self.position + 1} of the pipeline:\n{pointer}"
        )


def _unquoted(text: str) -> str:
    """Return the value of an option without its quotes; a backslash in them escapes a quote or a
    backslash.
    """
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL) if text.startswith('"') else text


def make_pass(name: str, options: Mapping[str, str], registry: Mapping[str, type[pass_.Pass]]) -> pass_.Pass:
    """Return a pass made from its ``name`` in ``registry`` and the texts of its ``options``, by name. Raises
    `DiagnosticError` for an unknown pass or option, or a wrong value.
    """
    pass_class = registry.get(name)
    if pass_class is None:
        close = nearest(name, registry)
        hint = f"did you mean '{close}'?" if close else None
        raise failure(
            codes.UNKNOWN_PASS, f"'{name}' does not refer to a registered pass or pass pipeline", hint=hint
        )
    return pass_class(**parse_options(pass_class, options))


@cache
def _hints(pass_class: type[pass_.Pass]) -> Mapping[str, Any]:
    """Return the types of the fields of a pass class. They are cached."""
    return get_type_hints(pass_class)


def parse_options(pass_class: type[pass_.Pass], options: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of fields of a pass, by field name, for `options`, which maps names such as
    ``max-iterations`` to texts; fields without an option are missing. Raises `DiagnosticError` for an unknown
    option or a wrong value.
    """
    known = {pass_.option_name(field.name): field for field in fields(pass_class)}
    hints: Mapping[str, Any] = _hints(pass_class) if options else {}
    values: dict[str, Any] = {}
    for name, text in options.items():
        field = known.get(name)
        if field is None:
            listed = ", ".join(known) or "none"
            raise failure(
                codes.BAD_OPTION,
                f"no such option '{name}' of pass '{pass_class.name}'",
                hint=f"options: {listed}",
            )
        values[field.name] = _option_value(pass_class, name, text, hints[field.name])
    return values


def _option_value(pass_class: type[pass_.Pass], name: str, text: str, kind: Any) -> Any:
    try:
        return _convert(text, kind)
    except ValueError as error:
        message = f"option '{name}' of pass '{pass_class.name}' takes {_kind_name(kind)}, got '{text}'"
        raise failure(codes.BAD_OPTION, message) from error


def _convert(text: str, kind: Any) -> Any:
    if kind is bool:
        if text not in ("true", "false", "1", "0"):
            raise ValueError(text)
        return text in ("true", "1")
    if get_origin(kind) is tuple:
        element = get_args(kind)[0]
        return tuple(_convert(item.strip(), element) for item in text.strip("{}").split(",") if item.strip())
    if kind is int:
        return int(text, 0)
    if _choices(kind):
        return kind(text)
    return kind(text) if kind in (float, str) else text


def _choices(kind: Any) -> list[str]:
    """Return the values of an option whose type is an enum; an empty list for other types."""
    if not isinstance(kind, EnumMeta):
        return []
    members: dict[str, Any] = dict(kind.__members__)
    return [str(case.value) for case in members.values()]


def _kind_name(kind: Any) -> str:
    choices = _choices(kind)
    if choices:
        return f"one of {', '.join(choices)}"
    return {bool: "true or false", int: "an integer", float: "a number"}.get(kind, "a list")


def describe(pass_class: type[pass_.Pass]) -> str:
    """Return the manual of a pass, followed by its options with their defaults, for help and reference pages."""
    lines = [f"{pass_class.name}: {pass_class.manual()}"]
    for field in fields(pass_class):
        lines.append(f"  {pass_.option_name(field.name)} = {_default(field)}")
    return "\n".join(lines)


def _default(field: Field[Any]) -> str:
    return "<required>" if field.default is MISSING else str(field.default)
