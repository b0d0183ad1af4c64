"""Patterns made of PDL: one pattern object for each ``pdl.pattern``, all backed by one matcher.

Native functions are Python callables, by name:

* a constraint is called with the rewriter and the values, and returns whether the match may go on, or (if it has
  results) a sequence of them; a `NoMatch` refuses with a reason, which reports show;
* a rewrite is called with the rewriter and the values.  It returns nothing, its result, or a sequence of several.

Operations, values, attributes and types are handed over as they are, ranges as tuples, and null as None.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.ir.context import Context
from tilewright.ir.operation import Operation
from tilewright.pdl.compiler.compile import compile_patterns, patterns_of
from tilewright.pdl.compiler.matcher import RewriterUse
from tilewright.pdl.compiler.positions import Predicate
from tilewright.pdl.compiler.reader import PatternPlan
from tilewright.pdl.explain import Explanation
from tilewright.pdl.interpreter.code import Match
from tilewright.pdl.interpreter.interpreter import Interpreter
from tilewright.pdl.interpreter.resolver import NativeResolver
from tilewright.rewrite import pattern as rewrite_pattern, pattern_set
from tilewright.rewrite.rewriter import Rewriter

NativeFunctions = Mapping[str, Callable[..., Any]]
"""Native constraints and rewrites that PDL patterns call, by name."""


class PDLModules:
    """The PDL modules of a pattern set and the native functions they call; all modules share one matcher."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.modules: list[Operation] = []
        self.native: dict[str, Callable[..., Any]] = {}

    def add(self, module: Operation, native: NativeFunctions | None = None) -> None:
        """Append a module of ``pdl.pattern`` operations, and add the ``native`` functions, by name; a later
        function replaces an earlier one of the same name.
        """
        self.modules.append(module)
        self.native.update(native or {})

    def compiled(self) -> Sequence[PDLPattern]:
        """Return the patterns of all modules, compiled, in order; empty if there are no patterns. Raises
        `DiagnosticError` with code TW0705 and one fixed text if a pattern is not valid, or uses a name that
        does not exist; a note has the cause.
        """
        resolver = NativeResolver(self.context, self.native)
        sources = [pattern for module in self.modules for pattern in patterns_of(module)]
        if not sources:
            return ()
        for pattern in sources:
            resolver.check_pattern(pattern)
        compiled = compile_patterns(sources, self.context, self.modules[0].location)
        interpreter = Interpreter(compiled.module, self.context, self.native, is_verified=True)
        shared = SharedMatcher(interpreter, compiled.order, self.native)
        return [
            PDLPattern(shared, plan, use) for plan, use in zip(compiled.plans, compiled.uses, strict=True)
        ]


def add_pdl(
    patterns: pattern_set.RewritePatternSet, module: Operation, native: NativeFunctions | None = None
) -> pattern_set.RewritePatternSet:
    """Append a module of ``pdl.pattern`` operations to a set, with the native functions they call, and return
    the set. Errors in the module are raised when the set is compiled.
    """
    source = next((source for source in patterns.sources if isinstance(source, PDLModules)), None)
    if source is None:
        source = PDLModules(patterns.context)
        patterns.add_source(source)
    source.add(module, native)
    return patterns


class _Memory(threading.local):
    """The matches of the last operation that a thread matched, by the name of their rewriter. ``seen`` has
    the names that were looked up since.
    """

    op: Operation | None = None
    rewriter: Rewriter | None = None
    matches: dict[str, Match]
    seen: set[str]


class SharedMatcher:
    """One matcher for several patterns. `order` has its predicates in the order in which it tests them, and
    `native` its native functions by name; explanations of failed matches use both.

    Drivers try the patterns of an operation one after the other, so the matches of an operation are cached
    until a pattern is tried a second time, or a pattern rewrites an operation.
    """

    def __init__(self, interpreter: Interpreter, order: Sequence[Predicate], native: NativeFunctions) -> None:
        self.interpreter = interpreter
        self.order = order
        self.native = native
        self._memory = _Memory()

    def match(self, op: Operation, rewriter: Rewriter, name: str) -> Match | None:
        """Return the match of the greatest benefit with the root ``op`` whose rewriter is ``name``; None if
        there is none. Native constraints are called with `rewriter`, unless the matches of ``op`` are cached.
        """
        memory = self._memory
        if memory.op is not op or memory.rewriter is not rewriter or name in memory.seen:
            matches = self.interpreter.match(op, rewriter)
            memory.op, memory.rewriter, memory.seen = op, rewriter, set()
            memory.matches = {match.rewriter: match for match in reversed(matches)}
        memory.seen.add(name)
        return memory.matches.get(name)

    def rewrite(self, match: Match, op: Operation, rewriter: Rewriter) -> None:
        """Drop the cached matches, and run the rewriter of a match whose root is ``op``."""
        self.forget()
        self.interpreter.rewrite(match, op, rewriter)

    def forget(self) -> None:
        """Drop the cached matches of this thread."""
        self._memory.op = self._memory.rewriter = None


class PDLPattern(rewrite_pattern.RewritePattern[Any]):
    """A rewrite pattern made from a ``pdl.pattern``: it runs the matcher that it shares with other patterns,
    and then its rewriter. Its `NoMatch` has an `Explanation`.
    """

    def __init__(self, shared: SharedMatcher, plan: PatternPlan, use: RewriterUse) -> None:
        super().__init__(
            root=plan.root.opName,
            benefit=plan.pattern.benefit,
            debug_name=plan.pattern.sym_name or use.name,
            generated_ops=use.generated,
        )
        self.shared = shared
        self.plan = plan
        self.rewriter_name = use.name

    def match_and_rewrite(self, op: Operation, rewriter: Rewriter) -> rewrite_pattern.NoMatch | None:
        match = self.shared.match(op, rewriter, self.rewriter_name)
        if match is None:
            return rewrite_pattern.NoMatch("{}", (Explanation(self.plan, self.shared, op, rewriter),))
        self.shared.rewrite(match, op, rewriter)
        return None

    def close(self) -> None:
        self.shared.forget()
