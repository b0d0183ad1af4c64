"""The text of a module: types, globals, functions, declarations, metadata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.llvm.enums import Linkage, LlvmVisibility
from tilewright.dialects.llvm.ops import symbol
from tilewright.ir import builtin_attributes, diagnostic
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation
from tilewright.targets import codes
from tilewright.targets.llvm import debug, function as llvm_function, instructions as llvm_instructions
from tilewright.targets.llvm.attributes import function_attributes, parameter_attributes
from tilewright.targets.llvm.identifiers import escaped, quoted
from tilewright.targets.llvm.spelling import ModuleEmitter


def translate(
    module: Operation,
    *,
    triple: str | None = None,
    data_layout: str | None = None,
    line_tables: bool = False,
) -> str:
    """Return the LLVM IR of a module with operations of the dialect ``llvm`` only.

    `triple` and `data_layout` are the target machine's; by default the module's attributes
    ``llvm.target_triple`` and ``llvm.data_layout`` are used. `line_tables` adds debug metadata with the
    source lines of instructions. Raises `DiagnosticError` for operations that LLVM IR cannot express.
    """
    assert isinstance(module, ModuleOp)
    emitter = ModuleEmitter()
    if line_tables:
        emitter.line_tables = debug.LineTables(emitter.metadata, module)
    parts = [part for op in module.regions[0].block for part in _symbol(emitter, op)]
    head = _head(module, triple, data_layout)
    named = emitter.line_tables.named_nodes() if emitter.line_tables is not None else []
    nodes = [*named, *emitter.metadata.lines()]
    sections = [head, emitter.type.definitions(), parts, emitter.declarations(), nodes]
    return "\n".join("\n".join(section) + "\n" for section in sections if section)


def _head(module: Operation, triple: str | None, data_layout: str | None) -> list[str]:
    lines = ['source_filename = "tilewright"']
    layout = data_layout or _string(module.attributes.get("llvm.data_layout"))
    machine = triple or _string(module.attributes.get("llvm.target_triple"))
    lines += [f'target datalayout = "{escaped(layout)}"'] if layout else []
    lines += [f'target triple = "{escaped(machine)}"'] if machine else []
    return lines


def _string(attribute: Attribute | None) -> str:
    return attribute.value if isinstance(attribute, builtin_attributes.StringAttr) else ""


def _symbol(emitter: ModuleEmitter, op: Operation) -> list[str]:
    rule = SYMBOLS.get(op.__class__)
    if rule is None:
        raise diagnostic.failure(
            codes.NO_LLVM_FORM,
            f"operation '{op.kind.name}' has no form in LLVM IR at the level of a module",
            op.location,
            hint="lower everything to the dialect 'llvm' first",
        )
    return rule(emitter, op)


def _linkage(op: symbol.GlobalOp | symbol.LLVMFuncOp, default: str = "") -> str:
    word = "" if op.linkage is Linkage.EXTERNAL else f"{op.linkage.name.lower()} "
    visible = "" if op.visibility_ is LlvmVisibility.DEFAULT else f"{op.visibility_.name.lower()} "
    local = "dso_local " if op.dso_local else ""
    return f"{word or default}{local}{visible}"


def _unnamed(op: symbol.GlobalOp | symbol.LLVMFuncOp) -> str:
    return f"{op.unnamed_addr.name.lower()} " if op.unnamed_addr is not None and op.unnamed_addr.value else ""


def _function(emitter: ModuleEmitter, op: symbol.LLVMFuncOp) -> list[str]:
    type = op.function_type
    defined = bool(op.body.blocks)
    body = llvm_function.FunctionEmitter(emitter)
    if defined and emitter.line_tables is not None:
        body.places = emitter.line_tables.function(op)
    lines = body.lines(op) if defined else []
    program = f" !dbg {body.places.program}" if body.places is not None else ""
    arguments = op.body.blocks[0].arguments if defined else ()
    names = [f" {body.value(argument)}" for argument in arguments] or [""] * len(type.arguments)
    attributes = op.arg_attrs or [None] * len(type.arguments)
    parameters = [
        f"{emitter.type(kind)} {parameter_attributes(own, emitter.type)}".rstrip() + name
        for kind, own, name in zip(type.arguments, attributes, names, strict=True)
    ]
    parameters += ["..."] if type.variadic else []
    result = f"{parameter_attributes(op.res_attrs[0], emitter.type) if op.res_attrs else ''}{emitter.type(type.result)}"
    name = f"@{quoted(op.sym_name)}({', '.join(parameters)})"
    section = f' section "{escaped(op.section)}"' if op.section else ""
    alignment = f" align {op.alignment}" if op.alignment else ""
    unnamed = f" {_unnamed(op).rstrip()}" if _unnamed(op) else ""
    tail = f"{unnamed}{function_attributes(op)}{section}{alignment}"
    head = f"{_linkage(op)}{llvm_instructions.convention(op.CConv)}{result} {name}{tail}"
    return ["", f"define {head}{program} {{", *lines, "}"] if defined else [f"declare {head}"]


def _global(emitter: ModuleEmitter, op: symbol.GlobalOp) -> list[str]:
    local = "thread_local " if op.thread_local_ else ""
    space = f"addrspace({op.addr_space}) " if op.addr_space else ""
    initial = "externally_initialized " if op.externally_initialized else ""
    kind = "constant" if op.constant else "global"
    value = _initial_value(emitter, op)
    defined = f" {value}" if value is not None else ""
    linkage = _linkage(op, "" if value is not None else "external ")
    tail = f', section "{escaped(op.section)}"' if op.section else ""
    tail += f", align {op.alignment}" if op.alignment else ""
    words = f"{linkage}{local}{_unnamed(op)}{space}{initial}{kind}"
    return [f"@{quoted(op.sym_name)} = {words} {emitter.type(op.global_type)}{defined}{tail}"]


def _initial_value(emitter: ModuleEmitter, op: symbol.GlobalOp) -> str | None:
    if op.value is not None:
        return emitter.constant(op.value, op.global_type)
    if not op.initializer.blocks:
        return None if op.linkage in DECLARED else "undef"
    return _constant_region(emitter, op.initializer.blocks[0].ops)


DECLARED = (Linkage.EXTERNAL, Linkage.EXTERN_WEAK)
"""The linkages of a global that is defined elsewhere, if it has no value."""


def _constant_region(emitter: ModuleEmitter, ops: Any) -> str:
    """Return the text of the constant that `ops`, the operations of an initializer region, compute. Raises
    `DiagnosticError` for operations that are no constant expressions.
    """
    texts = llvm_function.FunctionEmitter(emitter)
    return texts.constant_of(list(ops))


def _table(name: str, field: str) -> Callable[[ModuleEmitter, Any], list[str]]:
    """Return the rule that writes the global `name`, such as ``llvm.global_ctors``, a list of functions with
    priorities.

    ``field`` is the attribute of the operation with the functions.
    """

    def rule(emitter: ModuleEmitter, op: symbol.GlobalCtorsOp | symbol.GlobalDtorsOp) -> list[str]:
        entries = [
            f"{{ i32, ptr, ptr }} {{ i32 {priority}, ptr @{quoted(function)}, ptr null }}"
            for function, priority in zip(getattr(op, field), op.priorities, strict=True)
        ]
        array = f"[{len(entries)} x {{ i32, ptr, ptr }}]"
        return [f"@{name} = appending global {array} [{', '.join(entries)}]"]

    return rule


def _flags(emitter: ModuleEmitter, op: symbol.ModuleFlagsOp) -> list[str]:
    nodes: list[str] = []
    for flag in op.flags:
        value: Any = flag
        if isinstance(value.value, builtin_attributes.IntegerAttr):
            text = emitter.constant.typed(value.value, value.value.type)
            nodes.append(
                emitter.metadata.add(f'!{{i32 {value.behavior.value}, !"{escaped(value.key)}", {text}}}')
            )
    return [f"!llvm.module.flags = !{{{', '.join(nodes)}}}"] if nodes else []


SYMBOLS: dict[type[Operation], Callable[[ModuleEmitter, Any], list[str]]] = {
    symbol.LLVMFuncOp: _function,
    symbol.GlobalOp: _global,
    symbol.GlobalCtorsOp: _table("llvm.global_ctors", "ctors"),
    symbol.GlobalDtorsOp: _table("llvm.global_dtors", "dtors"),
    symbol.ModuleFlagsOp: _flags,
}
"""The spelling of each operation at the level of a module."""
