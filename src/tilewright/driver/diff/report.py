"""Shows differences as text in the manner of unified diffs, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

from tilewright.driver.diff.comparison import Change, ChangeDetail, ChangeKind, ModuleDiff
from tilewright.driver.diff.matching import DiffRow, ModuleMatching, Sequences
from tilewright.ir.attribute import Attribute
from tilewright.ir.block import Block
from tilewright.ir.declaration.traits import symbol_name
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hook
from tilewright.ir.text.names import OperationNames
from tilewright.ir.text.printer import Printer, PrintOptions
from tilewright.ir.value import Value

_LINE = PrintOptions(skip_regions=True, elide_elements_above=16)
_WHOLE = PrintOptions(elide_elements_above=16)
NEW = "%new."


class Lines(Printer):
    """Prints single operations of a module, with the value names of the text of the whole module."""

    def __init__(self, root: Operation) -> None:
        super().__init__(_LINE)
        self._numbering = OperationNames(root, hints=True, unique=False)
        self.names = self._numbering.values

    def rename(self, ours: Lines, matching: ModuleMatching) -> None:
        """Rename the values of this module: a value with a counterpart in `matching` gets the name that the
        counterpart has in `ours`, the lines of the first module. Other names begin with `NEW` (`%new.`).
        """
        assert self._numbering is not None
        assert ours._numbering is not None
        partners = {b: a for a, b in matching.values.items()}
        for value, name in self.names.items():
            partner = partners.get(value)
            self.names[value] = name.replace("%", NEW, 1) if partner is None else ours.names[partner]
        groups, our_groups = self._numbering.groups, ours._numbering.groups
        same = {b: a for a, b in matching.pairs if len(a.results) == len(b.results)}
        for op, left in groups.items():
            partner = same.get(op)
            groups[op] = left.replace("%", NEW) if partner is None else our_groups.get(partner, left)

    def line(self, op: Operation) -> str:
        """Return an operation with ``{...}`` in place of its regions."""
        return self._text(op, _LINE)

    def lines(self, op: Operation) -> list[str]:
        """Return the lines of an operation with its regions."""
        return self._text(op, _WHOLE).split("\n")

    def label(self, block: Block) -> str:
        """Return the label of a block, such as ``^bb1``."""
        return self._label(block)

    def _text(self, op: Operation, options: PrintOptions) -> str:
        self.options = options
        self._indent = ""
        owner = op.parent_op
        self._default_dialect = (hook(owner, "default_dialect") or "") if owner is not None else "builtin"
        self._operation(op)
        return self.finish()


SCHEMA_VERSION = 1
CONTEXT_LINES = 3


def diff_text(diff: ModuleDiff, context_lines: int = CONTEXT_LINES) -> str:
    """Return the differences block by block, with `context_lines` operations before and after each; the empty
    text if there are none.
    """
    return "\n".join(_Report(diff).text(context_lines)) if diff else ""


def diff_object(diff: ModuleDiff) -> dict[str, Any]:
    """Return the differences as a dictionary for JSON; its keys are described in
    ``docs/guides/verify-and-diff.md``.
    """
    report = _Report(diff)
    counts = Counter(change.kind.value for change in diff.changes)
    return {
        "schema": SCHEMA_VERSION,
        "same": not diff.changes,
        "a": diff.names[0],
        "b": diff.names[1],
        "counts": {kind.value: counts[kind.value] for kind in ChangeKind},
        "changes": [report.change_object(change) for change in diff.changes],
    }


def summary(diff: ModuleDiff) -> str:
    """Return the number of operations for each kind of change, as text such as ``2 added, 1 moved``; ``the
    same`` if there are no differences. A moved operation counts once.
    """
    counts = Counter(change.kind for change in diff.changes)
    moved = counts[ChangeKind.MOVED] // 2
    numbers = {**counts, ChangeKind.MOVED: moved}
    return (
        ", ".join(f"{numbers[kind]} {kind.value}" for kind in ChangeKind if numbers.get(kind)) or "the same"
    )


class _Paths:
    """Returns the paths of operations; caches the positions of operations in their blocks."""

    def __init__(self) -> None:
        self._places: dict[Block, dict[Operation, int]] = {}

    def path(self, op: Operation) -> str:
        """Return the names of the ancestors of an operation and of the operation, the module first, such as
        ``builtin.module > cuda_tile.entry @f > [2] cuda_tile.addi``. A symbol has its name, another operation
        its position in its block, from 0.
        """
        steps = [self._step(op), *map(self._step, op.ancestors())]
        return " > ".join(reversed(steps))

    def _step(self, op: Operation) -> str:
        name = symbol_name(op)
        if name is not None:
            return f"{op.name} @{name}"
        block = op.parent
        if block is None:
            return op.name
        places = self._places.get(block)
        if places is None:
            places = self._places[block] = {inner: number for number, inner in enumerate(block)}
        return f"[{places[op]}] {op.name}"


class _Report:
    """The texts of a comparison; the second module has the value names of the first."""

    def __init__(self, diff: ModuleDiff) -> None:
        self.diff = diff
        self.a, self.b = Lines(diff.a), Lines(diff.b)
        self.b.rename(self.a, diff.matching)
        self.paths = _Paths()

    def text(self, context_lines: int) -> Iterator[str]:
        yield f"--- {self.diff.names[0]}"
        yield f"+++ {self.diff.names[1]}"
        for sequences in self.diff.sequences():
            changes = [self.diff.change_of(row) for row in sequences.rows]
            for start, end in _hunks([change is not None for change in changes], context_lines):
                yield f"@@ {self._place(sequences)} @@"
                for row, change in zip(sequences.rows[start:end], changes[start:end], strict=True):
                    yield from self._row(row, change)

    def _place(self, sequences: Sequences) -> str:
        block = sequences.a or sequences.b
        owner = block.parent_op if block is not None else None
        if block is None or owner is None or block.parent is None:
            return "module"
        lines = self.a if block is sequences.a else self.b
        label = f" {lines.label(block)}" if len(block.parent.blocks) > 1 else ""
        return f"{self.paths.path(owner)}{label}"

    def _row(self, row: DiffRow, change: Change | None) -> Iterator[str]:
        if change is None:
            assert row.a is not None
            yield f"  {self.a.line(row.a)}"
            return
        if row.a is not None:
            yield from (f"- {line}" for line in self._lines(self.a, row.a, row))
        if row.b is not None:
            yield from (f"+ {line}" for line in self._lines(self.b, row.b, row))
        if change.kind is ChangeKind.MOVED:
            yield f"! '{change.operation.name}' moved {'away' if row.b is None else 'here'}"
        yield from (f"! {self._sentence(change.operation, detail)}" for detail in change.details)

    def _lines(self, lines: Lines, op: Operation, row: DiffRow) -> list[str]:
        """Return the lines of an operation on one side: with its regions if the other side lacks it, else its
        head only.
        """
        only_one = (row.a is None or row.b is None) and not row.moved
        return lines.lines(op) if only_one else [lines.line(op)]

    def _sentence(self, op: Operation, detail: ChangeDetail) -> str:
        label = f" '{detail.label}'" if not detail.label.startswith(("#", "of ")) else f" {detail.label}"
        old, new = self._values(detail)
        what = f"{detail.part.value}{label if detail.label else ''}"
        return f"'{op.name}' {what}: {old or 'nothing'} -> {new or 'nothing'}"

    def _values(self, detail: ChangeDetail) -> tuple[str | None, str | None]:
        return _spelt(detail.old, self.a), _spelt(detail.new, self.b)

    def change_object(self, change: Change) -> dict[str, Any]:
        """Return a change as a dictionary for JSON: ``kind``, the name of the ``operation``, its path and
        text in each module (``a`` and ``b``, None if it lacks the operation), and the changed parts in
        ``details``.
        """
        a, b = change.a, change.b
        return {
            "kind": change.kind.value,
            "operation": change.operation.name,
            "a": {"path": self.paths.path(a), "text": self.a.line(a)} if a is not None else None,
            "b": {"path": self.paths.path(b), "text": self.b.line(b)} if b is not None else None,
            "details": [self._detail_object(detail) for detail in change.details],
        }

    def _detail_object(self, detail: ChangeDetail) -> dict[str, Any]:
        old, new = self._values(detail)
        return {"part": detail.part.value, "label": detail.label or None, "old": old, "new": new}


def _spelt(item: object, lines: Lines) -> str | None:
    """Return a value, block, attribute, tuple of these, or any other object as text; None for None."""
    if item is None:
        return None
    if isinstance(item, Value):
        return lines.names[item]
    if isinstance(item, Block):
        return lines.label(item)
    if isinstance(item, Attribute):
        return lines.attribute_text(item)
    if isinstance(item, tuple):
        parts = cast("tuple[object, ...]", item)
        return f"({', '.join(_spelt(part, lines) or '' for part in parts)})"
    return str(item)


def _hunks(changed: Sequence[bool], context_lines: int) -> Iterator[tuple[int, int]]:
    """Yield half-open ranges of positions that contain each true item of `changed` and `context_lines`
    positions before and after it; overlapping and adjacent ranges are merged.
    """
    start = end = -1
    for number, is_changed in enumerate(changed):
        if not is_changed:
            continue
        if end < 0 or number - context_lines > end:
            if end >= 0:
                yield start, end
            start = max(number - context_lines, 0)
        end = min(number + context_lines + 1, len(changed))
    if end >= 0:
        yield start, end
