"""The interpreter of ``pdl_interp``: runs a matcher on operations, and the rewriters of the matches it records.

Functions are decoded once into closures over a frame (`tilewright.pdl.interpreter.code`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

from tilewright.ir import block as ir_block, context as ir_context, symbol_table, verifier
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.compiler.matcher import MATCHER, REWRITERS
from tilewright.pdl.dialects.pdl.types import OperationType
from tilewright.pdl.dialects.pdl_interp import actions
from tilewright.pdl.failures import lowering_failure
from tilewright.pdl.interpreter import ends, resolver as interpreter_resolver, steps as interpreter_steps
from tilewright.pdl.interpreter.code import FunctionRun, Match, PdlBlock, PdlFunction
from tilewright.rewrite.rewriter import Rewriter

_Maker = TypeVar("_Maker")

WAY_OUT = "the module needs the form that `compile_module` gives it"


class Interpreter:
    """Runs a module of ``pdl_interp``: its matcher on operations, and its rewriters on matches. Runs keep no
    state in it, so that threads may share it.

    ``native`` are the native functions by name. Raises `DiagnosticError` (TW0705) if the module is not valid,
    or uses a name that is not in the context or in ``native``. The verifier does not run if `is_verified`.
    """

    def __init__(
        self,
        module: Operation,
        context: ir_context.Context,
        native: Mapping[str, interpreter_resolver.Native] | None = None,
        *,
        is_verified: bool = False,
    ) -> None:
        errors = [] if is_verified else verifier.verify(module)
        if errors:
            raise lowering_failure(errors[0].message, errors[0].location, WAY_OUT)
        resolver = interpreter_resolver.NativeResolver(context, native or {})
        matcher, rewriters = (
            symbol_table.lookup_symbol(module, MATCHER),
            symbol_table.lookup_symbol(module, REWRITERS),
        )
        if not isinstance(matcher, actions.FuncOp) or rewriters is None:
            raise lowering_failure(
                f"the module has no '@{MATCHER}' and '@{REWRITERS}'", module.location, WAY_OUT
            )
        if matcher.function_type.inputs != (OperationType(),):
            raise lowering_failure(f"'@{MATCHER}' does not take one operation", matcher.location, WAY_OUT)
        functions = [op for op in rewriters.walk() if isinstance(op, actions.FuncOp)]
        self.rewriters = {op.sym_name: decode(op, resolver) for op in functions}
        self._check_uses(matcher)
        self.matcher = decode(matcher, resolver)

    def _check_uses(self, matcher: actions.FuncOp) -> None:
        """Raise `DiagnosticError` unless each `record_match` in the matcher names an existing rewriter, with
        the right number of arguments.
        """
        for op in matcher.walk():
            if isinstance(op, actions.RecordMatchOp):
                function = self.rewriters.get(op.rewriter.leaf)
                if function is None or len(function.arguments) != len(op.inputs):
                    raise lowering_failure(
                        f"'@{op.rewriter.leaf}' is no rewriter of {len(op.inputs)} arguments",
                        op.location,
                        WAY_OUT,
                    )

    def match(self, op: Operation, rewriter: Rewriter) -> list[Match]:
        """Run the matcher on ``op``; return the matches in which it is the root, greatest benefit first.
        ``rewriter`` is passed to native constraints.
        """
        run = FunctionRun(rewriter, op, MATCHER)
        self.matcher.run(run, (op,))
        return sorted(run.matches, key=lambda match: -match.benefit)

    def rewrite(self, match: Match, op: Operation, rewriter: Rewriter) -> None:
        """Run the rewriter of a match, which changes the IR through ``rewriter``. ``op`` is the root of the
        match.
        """
        function = self.rewriters[match.rewriter]
        function.run(FunctionRun(rewriter, op, function.name), match.inputs)


def decode(function: actions.FuncOp, resolver: interpreter_resolver.NativeResolver) -> PdlFunction:
    """Translate a function into closures, one for each operation. Raises `DiagnosticError` for an operation
    that cannot be interpreted, and for cyclic control flow.
    """
    slots: interpreter_steps.Slots = {}
    blocks: dict[ir_block.Block, PdlBlock] = {}
    for block in _blocks(function):
        blocks[block] = PdlBlock()
        for value in _defined(block):
            slots[value] = len(slots) + 1
    _check_acyclic(function, blocks)
    for block, code in blocks.items():
        *steps, last = block.ops
        code.steps = tuple([_known(interpreter_steps.STEPS, op)(op, slots, resolver) for op in steps])
        code.end = _known(ends.ENDS, last)(last, slots, blocks, resolver)
    entry = function.body.blocks[0]
    arguments = tuple([slots[argument] for argument in entry.arguments])
    return PdlFunction(function.sym_name, blocks[entry], arguments, len(slots) + 1)


def _known(makers: Mapping[str, _Maker], op: Operation) -> _Maker:
    maker = makers.get(op.name)
    if maker is None:
        raise lowering_failure(f"'{op.name}' cannot be interpreted here", op.location, WAY_OUT)
    return maker


def _check_acyclic(function: actions.FuncOp, blocks: Iterable[ir_block.Block]) -> None:
    """Raise `DiagnosticError` if control flow has a cycle: only `foreach` repeats, so every run ends."""
    try:
        TopologicalSorter({block: block.successors for block in blocks}).prepare()
    except CycleError as error:
        raise lowering_failure(
            f"control flow in '@{function.sym_name}' runs in a circle and would never end",
            function.location,
            "repeat things with `pdl_interp.foreach`",
        ) from error


def _blocks(function: actions.FuncOp) -> Iterator[ir_block.Block]:
    """Yield the blocks of a function, including the blocks of its `foreach` loops."""
    for op in function.walk():
        if op is function or isinstance(op, actions.ForEachOp):
            yield from op.regions[0].blocks


def _defined(block: ir_block.Block) -> Iterator[Value]:
    yield from block.arguments
    for op in block:
        yield from op.results
