"""Inlining: calls are replaced by the bodies of the functions they call, callees before callers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.declaration.traits import SingleBlock, SymbolTable, symbol_name
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.interfaces.control_flow import CallableOpInterface, CallOpInterface, InlinerInterface
from tilewright.ir.interfaces.interface import concept
from tilewright.ir.operation import Operation
from tilewright.ir.symbol_table import symbol_uses
from tilewright.ir.value import Value
from tilewright.passes import codes
from tilewright.passes.components import components
from tilewright.passes.pass_ import Pass, PassState
from tilewright.passes.transforms.canonicalize import Canonicalize

DEFAULT_PIPELINE = "canonicalize"


@dataclass(frozen=True)
class Inline(Pass):
    """Replaces calls by the bodies of the called functions, and removes private functions that are left over.

    Works on a symbol table. Functions that call nothing come first, so that their inlined bodies are inlined
    further; functions that call themselves, also through others, are not inlined. The dialects of all
    operations in a body must allow inlining. A body of several blocks is inlined only into a region that may
    have several. ``default-pipeline`` simplifies each function before it is inlined: ``canonicalize``, or
    nothing (empty).
    """

    name: ClassVar[str] = "inline"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("cf",)
    default_pipeline: str = DEFAULT_PIPELINE

    def run(self, op: Operation, state: PassState) -> None:
        self._check(op, state)
        for dialect in type(self).dependent_dialects:
            state.context.dialect(dialect)
        graph = _CallGraph(op)
        simplify = _simplifier(state.context) if self.default_pipeline else None
        inlined, changed = 0, False
        for group in graph.groups():
            for name in group:
                inlined += _inline_calls(graph, name, set(group), state.context)
                changed = (simplify is not None and simplify(graph.functions[name])) or changed
        if inlined:
            _erase_unused(op, graph)
        elif not changed:
            state.preserve_all()
        state.count("num-inlined", inlined)

    def _check(self, op: Operation, state: PassState) -> None:
        problem = ""
        if SymbolTable not in op.kind.trait_classes:
            problem = f"was scheduled to run under '{op.name}', but does not define a symbol table"
        elif self.default_pipeline not in ("", DEFAULT_PIPELINE):
            problem = (
                f"default-pipeline is '{self.default_pipeline}', expected '{DEFAULT_PIPELINE}' or nothing"
            )
        if problem:
            raise state.fail(Diagnostic(Severity.ERROR, problem, op.location, codes.PASS_FAILED))


def _simplifier(context: Context) -> Callable[[Operation], bool]:
    """Return a function that canonicalises a function and returns whether it changed."""
    canonicalize = Canonicalize()
    patterns = canonicalize.patterns(context)
    return lambda function: canonicalize.simplify(function, patterns, context)[0]


class _CallGraph:
    """The functions of a symbol table, and the calls between them."""

    def __init__(self, table: Operation) -> None:
        self.functions: dict[str, Operation] = {}
        for op in table.regions[0].blocks[0] if table.regions[0].blocks else ():
            name = symbol_name(op)
            if name is not None and concept(op, CallableOpInterface) is not None:
                self.functions[name] = op

    def callees(self, name: str) -> list[str]:
        """Return the names of the functions of the table that the function ``name`` calls, in the order of
        the first calls, each once.
        """
        calls = [concept_call.callee(op) for op, concept_call in calls_in(self.functions[name])]
        return [callee for callee in dict.fromkeys(calls) if callee in self.functions]

    def groups(self) -> list[list[str]]:
        """Return groups of function names, callees before callers. The functions of a group call each other
        in a cycle; others are groups of one.
        """
        return components(self.functions, self.callees)


def calls_in(function: Operation) -> list[tuple[Operation, CallOpInterface]]:
    """Return (operation, call interface) for each call inside a function, in order."""
    found = ((op, concept(op, CallOpInterface)) for op in function.walk())
    return [(op, call) for op, call in found if call is not None]


def _inline_calls(graph: _CallGraph, caller: str, group: set[str], context: Context) -> int:
    """Inline the calls in the function ``caller``, except calls of functions in ``group``; return the number
    of calls that were replaced.
    """
    count = 0
    for op, call in calls_in(graph.functions[caller]):
        callee = graph.functions.get(call.callee(op))
        if callee is not None and symbol_name(callee) not in group and _may_inline(op, call, callee, context):
            _inline(op, call, callee, context)
            count += 1
    return count


def _inliner(op: Operation, context: Context) -> InlinerInterface | None:
    dialect = context.dialect(op.kind.dialect)
    return dialect.interfaces.lookup(InlinerInterface) if dialect is not None else None


def _may_inline(op: Operation, call: CallOpInterface, callee: Operation, context: Context) -> bool:
    function = concept(callee, CallableOpInterface)
    body = function.body(callee) if function is not None else None
    target = op.parent.parent if op.parent is not None else None
    if function is None or body is None or target is None:
        return False
    if not call.may_inline(op) or not function.may_inline(callee) or not _fits(body, target, context):
        return False
    return all(_op_may_move(inner, target, context) for block in body.blocks for inner in block)


def _fits(body: Region, target: Region, context: Context) -> bool:
    """Return whether the blocks of the callee's `body` can be put into the region `target` of the call. A
    single block has to return to the caller; several blocks need a region that may have several, and a
    dialect with branches.
    """
    if len(body.blocks) == 1:
        return _returned(body.blocks[0], context) is not None
    around = target.parent
    return (
        around is not None and SingleBlock not in around.kind.trait_classes and _branches(context) is not None
    )


def _op_may_move(op: Operation, target: Region, context: Context) -> bool:
    for inner in op.walk():
        inliner = _inliner(inner, context)
        if inliner is None or not inliner.may_inline_op(inner, target):
            return False
        if not all(inliner.may_inline_region(region, target) for region in inner.regions):
            return False
    return True


def _branches(context: Context) -> InlinerInterface | None:
    """Return the inliner interface of the first dialect that has branches; None if no dialect has them."""
    probe = Block()
    for name in sorted(context.dialects):
        inliner = context.dialects[name].interfaces.lookup(InlinerInterface)
        branch = inliner.branch_to(probe, ()) if inliner is not None else None
        if branch is not None:
            branch.drop_all_references()
            return inliner
    return None


def _returned(block: Block, context: Context) -> Sequence[Value] | None:
    """Return the values that the function returns at the end of a block; None if the block does not return."""
    last = block.last
    inliner = _inliner(last, context) if last is not None else None
    return inliner.returned(last) if inliner is not None and last is not None else None


def _inline(op: Operation, call: CallOpInterface, callee: Operation, context: Context) -> None:
    function = concept(callee, CallableOpInterface)
    body = function.body(callee) if function is not None else None
    assert body is not None
    mapping: dict[Value, Value] = {}
    copy = callee.clone(mapping)
    blocks = list(copy.regions[callee.regions.index(body)].blocks)
    for argument, value in zip(blocks[0].arguments, call.arguments(op), strict=True):
        argument.replace_all_uses_with(value)
    if len(blocks) == 1:
        _inline_block(op, blocks[0], context)
    else:
        _inline_blocks(op, blocks, context)
    copy.drop_all_references()


def _inline_block(op: Operation, block: Block, context: Context) -> None:
    """Inline a function of one block, `block`, a copy: its operations are moved before the call `op`, whose
    results are replaced with the returned values. The call is erased.
    """
    returned = tuple(_returned(block, context) or ())
    terminator = block.last
    for inner in block.ops:
        if inner is not terminator:
            inner.move_before(op)
    op.replace_all_uses_with(returned)
    op.erase()


def _inline_blocks(op: Operation, blocks: Sequence[Block], context: Context) -> None:
    """Inline a function of several `blocks`, copies: the block of the call `op` is split, and every return
    branches to its second half, whose arguments replace the results of the call. The call is erased.
    """
    before = op.parent
    branches = _branches(context)
    assert before is not None
    assert before.parent is not None
    assert branches is not None
    rest = before.split_before(op)
    for result in op.results:
        result.replace_all_uses_with(rest.add_argument(result.type, op.location))
    op.erase()
    for inner in blocks[0].ops:
        before.append(inner.detach())
    moved = [before, *blocks[1:]]
    for position, block in enumerate(blocks[1:], before.parent.blocks.index(before) + 1):
        if block.parent is not None:
            block.parent.remove(block)
        before.parent.insert(position, block)
    for block in moved:
        values = _returned(block, context)
        branch = branches.branch_to(rest, values) if values is not None else None
        if branch is not None and block.last is not None:
            block.last.erase()
            block.append(branch)


def _erase_unused(table: Operation, graph: _CallGraph) -> None:
    """Erase private functions with a body to which no operation in ``table`` refers."""
    used = {reference.root for _, reference in symbol_uses(table)}
    for name, function in graph.functions.items():
        visibility = getattr(function.held_attributes.get("sym_visibility"), "value", "public")
        callable_ = concept(function, CallableOpInterface)
        has_body = callable_ is not None and callable_.body(function) is not None
        if visibility == "private" and name not in used and has_body:
            function.erase()
