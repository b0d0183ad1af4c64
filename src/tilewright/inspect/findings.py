"""The claims of an inspection, with their evidence.

Nothing is claimed without evidence: a `BinaryFinding` refuses to be built without any.  The confidence is a number between
0 and 1 with fixed meanings, so that reports can be compared:

* ``CERTAIN``: the file says so itself (a header field, a table with its own delimiters);
* ``STRONG``: several independent observations agree, and each is rare by chance;
* ``LIKELY``: one specific observation, such as a name that only this kind has;
* ``WEAK``: the shape fits and nothing contradicts it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

CERTAIN, STRONG, LIKELY, WEAK = 0.99, 0.9, 0.7, 0.4

Detail = int | str | bool | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation: its description ``what``, and its address (None for facts about the whole file)."""

    what: str
    address: int | None = None


@dataclass(frozen=True, slots=True)
class BinaryFinding:
    """One claim about a program: ``kind`` is one of the keys of `KINDS`, ``name`` names the thing that was
    found, ``address`` is None if it has none. ``confidence`` is in (0, 1]; ``details`` are figures for
    machines. Raises `ValueError` without evidence, for an unknown kind, and for another confidence.
    """

    kind: str
    name: str
    address: int | None
    evidence: tuple[Evidence, ...]
    confidence: float
    details: Mapping[str, Detail] = field(default_factory=dict[str, Detail])

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError(f"{self.kind} '{self.name}' is claimed without evidence")
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of finding '{self.kind}'")
        if not 0 < self.confidence <= 1:
            raise ValueError(f"confidence {self.confidence} is not in (0, 1]")


KINDS: dict[str, str] = {
    "dialect": "dialects",
    "dialect class": "dialect_classes",
    "pass": "passes",
    "pass class": "pass_classes",
    "pipeline": "pipelines",
    "operation": "operations",
    "operation class": "operation_classes",
    "attribute": "attributes",
    "type": "types",
    "interface": "interfaces",
    "pattern": "patterns",
    "constructor table": "constructor_tables",
    "constructor": "constructors",
    "table bank": "table_banks",
    "conversion pattern table": "conversion_pattern_tables",
    "rewrite pattern table": "rewrite_pattern_tables",
    "pass model table": "pass_model_tables",
    "pattern object": "pattern_objects",
    "object cluster": "object_clusters",
    "hash table": "hash_tables",
    "sentinel site": "sentinel_sites",
    "mask site": "mask_sites",
    "storage decoder": "storage_decoders",
    "string pool": "string_pools",
}
"""Kind of finding to the key of its list in JSON, in the order of reports."""


def of_kind(findings: Sequence[BinaryFinding], kind: str) -> list[BinaryFinding]:
    """Return the findings of one kind, in order."""
    return [finding for finding in findings if finding.kind == kind]


def combined(*confidences: float) -> float:
    """Return the confidence that independent observations give together: one minus the product of ``1 -
    confidence``, rounded to three digits, at most `CERTAIN`; 0 without observations.
    """
    left = 1.0
    for confidence in confidences:
        left *= 1.0 - confidence
    return round(min(1.0 - left, CERTAIN), 3)
