"""Proofs about kernels of other authors, from launches that `conformance.launch_records` has kept.

    python -m conformance.proofs FOLDER ... [--verbose]

takes one kernel for each entry, and prints a line for each folder: its kernels, how many accesses are proved, refuted and not proved to be in bounds, how many
stores to be free of races, and how many kernels took more than two seconds of processor time. The exit status is 1 if a
refutation has no finding of the interpreter.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.launch_records import LaunchRecord, parser_of_folders, smallest
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.sources import read_any
from tilewright.ir.diagnostic import location_text
from tilewright.prover.kernels import BOUNDS, OPEN, PROVED, RACES, REFUTED, KernelProver, ProofResult
from tilewright.prover.symbols import ObservedLaunch

LIMIT = 2.0
"""The processor time that proofs about a kernel may take, in seconds."""


@dataclass
class ProofTally:
    """The results for the kernels of a folder: the number of each status by subject, and the processor time of
    each kernel in seconds.
    """

    statuses: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    seconds: list[float] = field(default_factory=list[float])
    not_replayed: int = 0

    def add(self, results: Sequence[ProofResult], seconds: float) -> None:
        """Add the results for a kernel."""
        self.seconds.append(seconds)
        self.statuses.update((one.subject, one.status) for one in results)
        self.not_replayed += sum(one.status == REFUTED and one.finding is None for one in results)

    def cells(self, subject: str) -> list[str]:
        """Return the numbers of statements about a subject that are proved, refuted and not proved, and the share
        of the first two.
        """
        numbers = [self.statuses[subject, status] for status in (PROVED, REFUTED, OPEN)]
        share = f"{(numbers[0] + numbers[1]) / sum(numbers):.0%}" if any(numbers) else ""
        return [*map(str, numbers), share]


def prover_of(records: Sequence[LaunchRecord]) -> KernelProver:
    """Return a prover for the kernel of launches."""
    first = records[0]
    launches = [ObservedLaunch(one.grid, *one.arguments()) for one in records]
    module: Any = read_any(first.content, first.entry)
    entries = [op for op in module.walk() if isinstance(op, EntryOp)]
    entry = next(op for op in entries if op.sym_name == first.entry)
    return KernelProver(module, entry, launches)


def proved(records: Sequence[LaunchRecord]) -> tuple[KernelProver, list[ProofResult], float]:
    """Prove statements about a kernel; return the prover, the results and the processor time."""
    begin = time.process_time()
    prover = prover_of(records)
    results = prover.results()
    return prover, results, time.process_time() - begin


def lines(prover: KernelProver, results: Sequence[ProofResult], seconds: float) -> Iterator[str]:
    """Yield a line about a kernel, and one about each statement that is not proved."""
    yield f"{prover.name}: {seconds:.2f} s"
    for one in results:
        if one.status != PROVED:
            place = location_text(one.op.location)
            told = one.because or f"{', '.join(one.arguments)}: {one.finding and one.finding.message}"
            yield f"  {place} {one.op.name}: {one.subject} {one.status}: {told}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of folders."""
    parser = parser_of_folders("proofs", __doc__)
    parser.add_argument("--verbose", action="store_true", help="list what is not proved")
    given = parser.parse_args(arguments)
    print(
        "| launches of | kernels | in bounds | refuted | open | settled | no race | refuted | open | settled",
        end="",
    )
    print(f" | over {LIMIT:g} s | largest |\n|---|{'---:|' * 11}")
    not_replayed = 0
    for folder in given.folders:
        tally = ProofTally()
        for records in smallest(folder).values():
            prover, results, seconds = proved(records)
            tally.add(results, seconds)
            if given.verbose:
                print("\n".join(lines(prover, results, seconds)), file=sys.stderr, flush=True)
        not_replayed += tally.not_replayed
        late = sum(one > LIMIT for one in tally.seconds)
        cells = [folder.name, str(len(tally.seconds)), *tally.cells(BOUNDS), *tally.cells(RACES), str(late)]
        print(f"| {' | '.join([*cells, f'{max(tally.seconds, default=0):.1f} s'])} |", flush=True)
    return int(not_replayed > 0)


if __name__ == "__main__":
    sys.exit(main())
