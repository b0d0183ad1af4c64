"""Compiles ``pdl.pattern`` operations to a module of ``pdl_interp``: ``@matcher``, and ``@rewriters`` inside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.context import Context
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.pdl.compiler.matcher import REWRITERS, MatcherWriter, RewriterUse
from tilewright.pdl.compiler.positions import PositionPool, Predicate
from tilewright.pdl.compiler.reader import PatternPlan, read_pattern
from tilewright.pdl.compiler.rewriters import RewriterWriter
from tilewright.pdl.compiler.tree import decision_tree, ordered_predicates
from tilewright.pdl.dialects.pdl import ops as pdl
from tilewright.pdl.failures import lowering_failure

MODULE = "builtin.module"


@dataclass(frozen=True)
class CompiledPatterns:
    """Compiled patterns: the ``module`` of ``pdl_interp``, and for each pattern, in order, its plan and the
    use of its rewriter. ``order`` has the predicates of all patterns in the order in which the matcher tests
    them.
    """

    module: Operation
    plans: Sequence[PatternPlan]
    uses: Sequence[RewriterUse]
    order: Sequence[Predicate]
    """The predicates of all patterns, in the order in which the matcher tests them."""


def patterns_of(module: Operation) -> list[pdl.PatternOp]:
    """Return the patterns in a module, in order. Raises `DiagnosticError` if the module is not valid."""
    errors = verify(module)
    if errors:
        cause = errors[0]
        raise lowering_failure(
            cause.message, cause.location, "correct the module; `tilewright opt` verifies it by itself"
        )
    return [op for op in module.walk() if isinstance(op, pdl.PatternOp)]


def compile_module(module: Operation, context: Context) -> Operation:
    """Return the module of ``pdl_interp`` for a module of patterns, as ``convert-pdl-to-pdl-interp`` makes
    it. Raises `DiagnosticError` if the module is invalid, or a pattern cannot be compiled.
    """
    return compile_patterns(patterns_of(module), context, module.location).module


def compile_patterns(
    patterns: Iterable[pdl.PatternOp], context: Context, location: Location = UNKNOWN
) -> CompiledPatterns:
    """Compile verified patterns; all of them share one matcher. ``location`` is the location of the matcher
    and the modules. Raises `DiagnosticError` for a pattern that cannot be compiled.
    """
    positions = PositionPool()
    plans = [read_pattern(pattern, positions) for pattern in patterns]
    names = _rewriter_names(plans)
    written = [RewriterWriter(context, plan, name).write() for plan, name in zip(plans, names, strict=True)]
    uses = {plan.pattern: use for plan, (_, use) in zip(plans, written, strict=True)}
    writer = MatcherWriter(positions, lambda plan: uses[plan.pattern])
    order = ordered_predicates(plans)
    matcher = writer.write(decision_tree(plans, order), location)
    rewriters = module_of(context, [function for function, _ in written], location, REWRITERS)
    module = module_of(context, [matcher, rewriters], location)
    return CompiledPatterns(module, plans, [use for _, use in written], order)


def _rewriter_names(plans: Sequence[PatternPlan]) -> list[str]:
    """Return a rewriter name for each plan: the name of the pattern, or `pdl_generated_rewriter`, with a
    number if it is taken.
    """
    taken: set[str] = set()
    names: list[str] = []
    for plan in plans:
        base = plan.pattern.sym_name or "pdl_generated_rewriter"
        name, counter = base, 0
        while name in taken:
            name, counter = f"{base}_{counter}", counter + 1
        taken.add(name)
        names.append(name)
    return names


def module_of(
    context: Context, body: Sequence[Operation], location: Location = UNKNOWN, name: str = ""
) -> Operation:
    """Return a ``builtin.module`` with the operations `body`; its symbol name is `name`, unless it is empty.

    Raises `DiagnosticError` if the context lacks the dialect.
    """
    kind = context.kind(MODULE)
    if kind is None:
        raise lowering_failure(
            "the context has no 'builtin.module' to put the code into",
            location,
            "load the dialect 'builtin'",
        )
    block = Block()
    for op in body:
        block.append(op)
    attributes: dict[str, Attribute] | None = {"sym_name": StringAttr(name)} if name else None
    return Operation.from_parts(kind, attributes=attributes, regions=[Region([block])], location=location)
