"""Reduction of failing inputs: smaller candidates are kept as long as they fail in the same way.

The search is delta debugging: parts are left out in halves, quarters and so on down to single ones, and the kinds of
edits follow each other until none makes the input smaller. Nothing is random, so equal inputs give equal results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from tilewright.driver.reading import parse_text
from tilewright.driver.reduction import edits, texts
from tilewright.driver.startup import context as every_dialect
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify

Measure = tuple[int, int]
"""The size of a candidate: the number of its operations or lines, then of its characters."""


@dataclass(slots=True)
class ReductionState:
    """The progress of a reduction: the numbers of candidates that were tried and kept (`tried`, `succeeded`),
    the texts of the candidates that were tried (`seen`), and ``kept``, which is called with the text of each
    kept candidate.
    """

    kept: Callable[[str], object] = lambda text: None
    tried: int = 0
    succeeded: int = 0
    seen: set[str] = field(default_factory=set[str])

    def keep(self, text: str) -> None:
        """Count a candidate that was kept, and pass on its text."""
        self.succeeded += 1
        self.kept(text)


def halves(count: int, removes: Callable[[Sequence[int]], int | None]) -> bool:
    """Leave out parts 0 to `count` - 1, the last ones first, in chunks that shrink from half of them to one
    part. ``removes(numbers)`` leaves out the parts with these indices and returns how many parts there are
    then, or None if the chunk must stay. Return whether a chunk was left out.
    """
    size, found = max(1, count // 2), False
    while size >= 1 and count:
        end = count
        while end > 0:
            chunk = range(max(0, end - size), end)
            left = removes(chunk)
            if left is not None:
                found, count = True, left
            end = min(chunk.start, count)
        size //= 2
    return found


class ModuleReduction:
    """The reduction of a module. ``fails`` returns whether a candidate fails in the same way; if the module
    is valid, only valid candidates are kept. A candidate is smaller if it has fewer operations or, with as
    many, a shorter text or smaller digits. ``module`` is the smallest candidate so far, at first the
    original, which must fail and is never changed. `state` counts the candidates, and is told of each that is
    kept. `context` parses candidates that were edited as text, and its dialects make the constants that
    replace erased values; None for a context with all dialects.
    """

    def __init__(
        self,
        module: Operation,
        fails: Callable[[Operation], bool],
        state: ReductionState,
        context: Context | None = None,
    ) -> None:
        self.module = module
        self._fails = fails
        self._state = state
        self._context = context or every_dialect()
        self._is_valid = not verify(module)

    def run(self) -> Operation:
        """Reduce the module until no edit makes it smaller, and return the smallest candidate."""
        steps = (
            partial(self._erase, edits.symbols),
            partial(self._erase, edits.operations),
            self._flatten,
            self._drop_parameters,
            self._shrink_extents,
            self._shrink_constants,
            self._strip,
        )
        changed = True
        while changed:
            changed = sum(step() for step in steps) > 0
        return self.module

    def _try(self, edit: edits.Edit) -> bool:
        candidate = self.module.clone()
        return edit(candidate) and self._accept(candidate)

    def _accept(self, candidate: Operation) -> bool:
        """Replace the module by `candidate` if that is smaller, not tried before, valid if the module was,
        and fails in the same way. Return whether the module was replaced.
        """
        if (self._is_valid and verify(candidate)) or _measure(candidate) >= _measure(self.module):
            return False
        text = str(candidate)
        if text in self._state.seen:
            return False
        self._state.seen.add(text)
        self._state.tried += 1
        if not self._fails(candidate):
            return False
        self.module = candidate
        self._state.keep(text)
        return True

    def _erase(self, listed: Callable[[Operation], list[Operation]]) -> bool:
        def removes(chunk: Sequence[int]) -> int | None:
            is_gone = self._try(edits.erasing(listed, chunk, self._context))
            return len(listed(self.module)) if is_gone else None

        return halves(len(listed(self.module)), removes)

    def _flatten(self) -> bool:
        found = False
        for number in reversed(range(len(edits.nests(self.module)))):
            for region in range(2):
                if number < len(edits.nests(self.module)):
                    found |= self._try(edits.flattening(number, region, self._context))
        return found

    def _strip(self) -> bool:
        found = False
        for number, name in reversed(edits.attributes(self.module)):
            found |= self._try(edits.without_attribute(number, name))
        return found

    def _shrink_extents(self) -> bool:
        return self._shrink(texts.with_smaller_extents)

    def _shrink_constants(self) -> bool:
        return self._shrink(texts.with_smaller_constants)

    def _drop_parameters(self) -> bool:
        return self._shrink(texts.without_parameters)

    def _shrink(self, candidates: Callable[[str], Iterable[str]]) -> bool:
        """Replace the module with the first of the texts ``candidates(text)`` that is accepted, again and
        again until none is. Return whether one was accepted.
        """
        found = False
        while any(self._try_text(text) for text in candidates(str(self.module))):
            found = True
        return found

    def _try_text(self, text: str) -> bool:
        try:
            return self._accept(parse_text(text, "<reduced>", self._context, verify=False))
        except DiagnosticError:
            return False  # the smaller number does not fit there


def _measure(module: Operation) -> Measure:
    text = str(module)
    return sum(1 for _ in module.walk()), len(text) + _numbers_in(text)


def _numbers_in(text: str) -> int:
    """Return the sum of the digits of a text, so that 0 is smaller than 7."""
    return sum(int(digit) for digit in text if digit.isdecimal())


def reduce_module(
    module: Operation,
    fails: Callable[[Operation], bool],
    *,
    kept: Callable[[str], object] = lambda text: None,
    context: Context | None = None,
) -> Operation:
    """Return a module that is as small as delta debugging makes it, and still fails: ``fails(module)`` is
    true, as it must be for `module` itself, which is not changed. ``kept`` is called with the text of each
    smaller module. Without a `context`, all dialects are registered.
    """
    return ModuleReduction(module, fails, ReductionState(kept), context).run()


def reduce_lines(
    text: str, fails: Callable[[str], bool], *, kept: Callable[[str], object] = lambda text: None
) -> str:
    """Return a text with as few lines as delta debugging leaves, and that still fails: ``fails(text)`` is
    true, as it must be for `text` itself. ``kept`` is called with each smaller text.
    """
    lines = text.splitlines(keepends=True)

    def removes(chunk: Sequence[int]) -> int | None:
        rest = [line for at, line in enumerate(lines) if at not in chunk]
        if not fails("".join(rest)):
            return None
        lines[:] = rest
        kept("".join(rest))
        return len(rest)

    while halves(len(lines), removes):
        pass
    return "".join(lines)
