"""The tool that mutates the sources: which places it finds, and that each mutant is Python."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.mutants.__main__ import draw, equivalent, summary
from tools.mutants.mutation import mutations

SOURCE = '''"""A module: 1 + 1 is not mutated here."""

ON = True


def clamp(value, low, high, log):
    """Return the value between bounds."""
    if value < low and not log.off:
        log.add(low, value)
        return low
    while log:
        value -= 1
        break
    return high if log.full else [item for item in value if item] + [2]


class Shown:
    def __repr__(self):
        return str(1 < 2)
'''
EXPECTED = [
    "3: constant: True -> False",
    "8: comparison: value < low -> value <= low",
    "8: condition: value < low and not log.off -> ((value < low) or (not log.off))",
    "8: condition: not log.off -> bool(log.off)",
    "9: dropped statement: log.add(low, value) -> pass",
    "9: swapped arguments: low, value -> value, low",
    "11: condition: log -> (not (log))",
    "12: dropped statement: value -= 1 -> pass",
    "12: constant: 1 -> 2",
    "13: dropped statement: break -> pass",
    "14: condition: log.full -> (not (log.full))",
    "14: arithmetic: [item for item in value if item] + [2] -> ([item for item in value if item]) - ([2])",
    "14: condition: item -> (not (item))",
    "14: constant: 2 -> 3",
]


def test_places_of_a_small_module(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SOURCE)
    found = mutations(path, tmp_path)
    assert sorted(str(mutation).removeprefix("small.py:") for mutation in found) == sorted(EXPECTED)
    for mutation in found:
        changed = mutation.applied(path.read_bytes())
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))
    assert found[2].key == "small.py::clamp: value < low and not log.off -> ((value < low) or (not log.off))"


def test_a_seed_draws_the_same_mutants_of_every_kind() -> None:
    drawn = draw("seven", 60, ["passes"])
    assert drawn == draw("seven", 60, ["passes"])
    assert drawn != draw("eight", 60, ["passes"])
    kinds = [mutation.kind for mutation in drawn]
    assert {kinds.count(kind) for kind in kinds} == {10}


def test_excused_mutants_stand_in_the_sources() -> None:
    root = Path(__file__).parents[2] / "src" / "tilewright"
    paths = sorted({key.partition("::")[0] for key in equivalent()})
    keys = {mutation.key for path in paths for mutation in mutations(root / path, root)}
    assert set(equivalent()) <= keys
    assert all(equivalent().values()), "each has a reason"


def test_survivors_are_counted() -> None:
    drawn = draw("seven", 6, ["passes"])
    done = dict(
        zip(
            [one.key for one in drawn],
            ["told", "told", "survived", "survived", "timed out", "told"],
            strict=True,
        )
    )
    text = summary(drawn, done, {drawn[2].key: "speed only"})
    assert drawn[3].key in text
    assert text.endswith(
        "6 mutants: 4 told, 1 equivalent, 1 survive: 80.0 % of those that change behaviour are told"
    )
