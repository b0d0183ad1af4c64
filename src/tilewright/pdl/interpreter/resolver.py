"""Looks up the names in patterns: operations, attributes, native functions. A missing one is an error."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, OpaqueAttr, TypeAttr
from tilewright.ir.builtin_types import OpaqueType
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.pdl.dialects.pdl import ops as pdl
from tilewright.pdl.failures import lowering_failure

Native = Callable[..., Any]
"""A native function, which is called with the rewriter and the arguments (see `tilewright.pdl.patterns`)."""


class NativeResolver:
    """Looks up names: operations, types and attributes in a context, and native functions in
    ``functions``.
    """

    def __init__(self, context: Context, native: Mapping[str, Native]) -> None:
        self.context = context
        self.functions = dict(native)

    def kind(self, name: str, location: Location) -> OperationKind:
        """Return the kind of the operation called ``name``. An unknown name is an unregistered kind if the
        context allows these; otherwise it raises `DiagnosticError`.
        """
        found = self.context.kind(name)
        if found is not None:
            return found
        if self.context.allow_unregistered:
            return self.context.unregistered_kind(name)
        near = self.context.suggestion(name)
        hint = f"did you mean '{near}'?" if near else "load the dialect that has it"
        raise lowering_failure(f"operation '{name}' is not registered", location, hint)

    def function(self, name: str, what: str, location: Location) -> Native:
        """Return the native function called ``name``. Raises `DiagnosticError` if there is none; ``what``
        ("constraint" or "rewrite") describes it in the message.
        """
        found = self.functions.get(name)
        if found is None:
            near = difflib.get_close_matches(name, self.functions, n=1)
            hint = "hand it to `add_pdl(patterns, module, native={...})`"
            hint = f"did you mean '{near[0]}'? Otherwise {hint}" if near else hint
            raise lowering_failure(f"native {what} '{name}' is not declared", location, hint)
        return found

    def attribute(self, attribute: Attribute, location: Location) -> None:
        """Raise `DiagnosticError` if an attribute or type, or a part of it in an array or dictionary, is of a
        dialect that is not loaded. Contexts that allow unregistered operations allow it.
        """
        pending = [attribute]
        while pending:
            match pending.pop():
                case (OpaqueAttr() | OpaqueType()) as unknown if not self.context.allow_unregistered:
                    raise lowering_failure(
                        f"'{unknown}' is of dialect '{unknown.dialect}', which is not registered",
                        location,
                        f"load the dialect '{unknown.dialect}'",
                    )
                case ArrayAttr(elements=elements):
                    pending.extend(elements)
                case DictionaryAttr(entries=entries):
                    pending.extend(value for _, value in entries)
                case TypeAttr(type=type):
                    pending.append(type)
                case _:
                    pass

    def check_pattern(self, pattern: pdl.PatternOp) -> None:
        """Raise `DiagnosticError` if an operation, attribute, type or native function that a pattern names
        does not exist. Unregistered operations and dialects are accepted if the context allows them.
        """
        for op in pattern.walk():
            self.check_operation(op)

    def check_operation(self, op: Operation) -> None:
        """Raise `DiagnosticError` if an operation, attribute, type or native function that `op`, an operation
        of a pattern, names does not exist. Unregistered operations and dialects are accepted if the context
        allows them.
        """
        match op:
            case pdl.OperationOp(opName=name) if name is not None:
                self.kind(name, op.location)
            case pdl.AttributeOp(value=value) if value is not None:
                self.attribute(value, op.location)
            case pdl.TypeOp(constantType=type) if type is not None:
                self.attribute(type, op.location)
            case pdl.TypesOp(constantTypes=types) if types is not None:
                for type in types:
                    self.attribute(type, op.location)
            case pdl.ApplyNativeConstraintOp(name_=name):
                self.function(name, "constraint", op.location)
            case pdl.ApplyNativeRewriteOp(name_=name):
                self.function(name, "rewrite", op.location)
            case pdl.RewriteOp(name_=name) if name is not None:
                self.function(name, "rewrite", op.location)
            case _:
                pass
