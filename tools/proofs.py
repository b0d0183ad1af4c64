"""Proofs about kernels at scale: `python -m tools.proofs generated --count 1000`, or `seeded`.

- generated: kernels drawn at random run under the checks; nothing that is reported may have been proved.
- seeded: kernels with an error of one are refuted, and the same kernels without it are proved.

`conformance.proofs` has the shares of statements that are proved or refuted, and the time of each kernel, for recorded
launches of programs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.prover.generated import Tally, drawn, sampled
from tests.prover.seeded import seeded
from tilewright.prover.kernels import PROVED, REFUTED


def generated(count: int, first: int) -> int:
    """Check kernels against their proofs. Return 1 if a proof is contradicted."""
    tally = Tally()
    for number in range(first, first + count):
        (sampled if number % 3 == 0 else drawn)(number, tally)
    print(f"{tally.kernels} kernels: {dict(tally.statuses)}, {tally.faults} faults at run time")
    for one in tally.contradictions:
        print(f"proved, but: {one}")
    return int(bool(tally.contradictions))


def all_seeded() -> int:
    """Print how many seeded errors are refuted, and right kernels proved. Return 1 if not all are."""
    told, every = Counter[bool](), Counter[bool]()
    for one in seeded():
        statuses = [result.status for result in one.prover().results() if result.subject == "bounds"]
        every[one.is_wrong] += 1
        told[one.is_wrong] += (REFUTED if one.is_wrong else PROVED) in statuses
    print(
        f"refuted {told[True]} of {every[True]} errors, proved {told[False]} of {every[False]} right kernels"
    )
    return int(told != every)


def main() -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("work", choices=("generated", "seeded"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    if given.work == "generated":
        return generated(given.count, given.first)
    return all_seeded()


if __name__ == "__main__":
    sys.exit(main())
