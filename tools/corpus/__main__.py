"""Makes the corpus of tests/replay from what the tests compile and launch.

    CAPTURED=build/corpus python -m pytest -p tools.corpus.capture tests/lowering tests/targets ...
    python -m tools.corpus build/corpus
    python -m pytest tests/replay --bless

With ``--record build/mutants/records/default`` the corpus keeps its members, and others are added, of tests that execute
lines which no member executes.

Members come from as many test functions as possible, each of them quick.  Launches that compute elementary functions
are left out, as the last bits of those depend on the host's library of mathematics, and so are those that print
addresses.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from tests.replay.corpus import LAUNCHES, MODULES, PIPELINES, Launch, read, write
from tests.replay.replaying import passed, runs, stages
from tilewright.driver.sources import load
from tools.corpus.capture import BYTECODE, DIGITS, PTX, function_digest
from tools.corpus.need import needed
from tools.mutants.__main__ import SOURCES

ELEMENTARY = re.compile(
    r"\b(?:ex2|lg2|sin|cos|tanh)\.|(?<!\w)(?:exp2?|log2?|sinh?|cosh?|tanh?|pow|atan2) |"
    r"cuda_tile\.(?:exp2?|log2?|sinh?|cosh?|tanh?|pow|atan2)\b"
)
ADDRESS = re.compile(r"0x[0-9a-f]{12}\b")
"""An address of this process, which another one does not have."""


@dataclass(frozen=True)
class Kind:
    """A kind of members: how one is replayed, most seconds for one, and for all of them."""

    replay: Callable[[Any], Iterable[tuple[str, str]]]
    each: float
    together: float


MODULE, SIMULATED, INTERPRETED = Kind(stages, 1.5, 50.0), Kind(runs, 0.5, 12.0), Kind(runs, 0.7, 25.0)
PASSED = Kind(passed, 0.4, 20.0)


@click.command()
@click.option(
    "--record",
    type=click.Path(exists=True, path_type=Path),
    help="Add members to the corpus of tests that execute what it does not, by this record of tools.mutants.",
)
@click.option("--share", default=1.0, show_default=True, help="The share of the time that members may take.")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
def main(folder: Path, record: Path | None, share: float) -> None:
    """Choose modules, runs of passes and launches of FOLDER and write them into the corpus."""
    functions = None if record is None else needed(record, SOURCES)
    choose = partial(chosen, functions=functions, share=share)
    for archive, kind, name in ((MODULES, MODULE, "modules"), (PIPELINES, PASSED, "pipelines")):
        members = {path.name: path.read_bytes() for path in sorted((folder / name).iterdir())}
        found = {one: members[one] for one in choose(members, kind)}
        write(archive, ((read(archive) if functions else {}) | found).items())
    launches = captured_launches(folder / "launches")
    of_ptx = {name: one for name, one in launches.items() if one.is_ptx}
    others = {name: one for name, one in launches.items() if not one.is_ptx}
    names = {*choose(of_ptx, SIMULATED), *choose(others, INTERPRETED)}
    files = {path.name: path.read_bytes() for path in (folder / "launches").iterdir() if path.stem in names}
    write(LAUNCHES, ((read(LAUNCHES) if functions else {}) | files).items())


def captured_launches(folder: Path) -> dict[str, Launch]:
    """Return the launches in a folder by name."""
    found: dict[str, Launch] = {}
    for path in sorted(folder.glob("*.json")):
        (source,) = (one for ending in (PTX, BYTECODE) if (one := path.with_suffix(ending)).exists())
        found[path.stem] = Launch(source=source.read_bytes(), **json.loads(path.read_text()))
    return found


def chosen(
    members: Mapping[str, Any], kind: Kind, functions: Sequence[str] | None, share: float
) -> Iterator[str]:
    """Yield the names of members that take as long as a share of what the kind says together."""
    left = kind.together * share
    for name in spread(members, functions):
        if left <= 0:
            return
        if depends_on_host(members[name]):
            continue
        started = time.process_time()
        texts = [text for _, text in kind.replay(members[name])]
        seconds = time.process_time() - started
        if seconds <= kind.each and not any(map(ADDRESS.search, texts)):
            left -= seconds
            yield name


def spread(names: Iterable[str], functions: Sequence[str] | None = None) -> list[str]:
    """Return names in an order in which one of each test function comes first, then a second one of each.

    With ``functions`` only names of theirs are returned, in the order of the functions.
    """
    shuffled = random.Random("corpus").sample(sorted(names), len(list(names)))
    ranks = None if functions is None else {function_digest(one): at for at, one in enumerate(functions)}
    seen = Counter[str]()
    places: dict[str, tuple[int, int]] = {}
    for name in shuffled:
        function = name[:DIGITS]
        if ranks is None or function in ranks:
            seen[function] += 1
            places[name] = seen[function], ranks[function] if ranks else 0
    return sorted(places, key=places.__getitem__)


def depends_on_host(member: bytes | Launch) -> bool:
    """Whether a launch computes elementary functions; a module is only compiled, or passes run over it."""
    if isinstance(member, bytes):
        return False
    text = member.source.decode() if member.is_ptx else str(load(member.source))
    return ELEMENTARY.search(text) is not None


if __name__ == "__main__":
    main()
