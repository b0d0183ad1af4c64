"""The declarations of reports that judge kernels, comparisons and proofs, as in `tilewright.cli.report_shapes`."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from tilewright.cli.report_shapes import DiagnosticReport, PlaceReport, Schema


class ErrorReport(TypedDict):
    """The errors of a target in an array; a number that is not finite is null."""

    units: Annotated[float | None, "the largest error, in units in the last place"]
    relative: Annotated[float | None, "its size relative to the exact value"]
    element: Annotated[list[int], "its index"]
    median: Annotated[float | None, "the median error, in units in the last place"]
    beyond: Annotated[float, "the share of elements beyond the promise of the operations"]


class ComparedArrayReport(TypedDict):
    """An array of floats that a compared launch wrote."""

    name: str
    element: Annotated[str, "the type of its elements, such as f16"]
    shape: list[int]
    written: Annotated[int, "the number of elements that the launch wrote"]
    targets: dict[str, ErrorReport]


class OrderReport(TypedDict):
    """An order of tile blocks or number of threads with which a launch stores other bits, and the first element
    that differs.
    """

    order: str
    array: str
    element: list[int]


class ComparedLaunchReport(TypedDict):
    """A launch that was compared with exact values; ``skipped`` says why nothing was compared, or is null."""

    kernel: str
    grid: list[int]
    skipped: str | None
    arrays: list[ComparedArrayReport]
    orders: list[OrderReport]


class ComparisonReport(TypedDict):
    """The report of `tilewright compare`: the findings and warnings, and each launch that was compared."""

    schema: Schema
    findings: Annotated[list[DiagnosticReport], "empty if no launch loses digits"]
    launches: list[ComparedLaunchReport]


class StatementReport(PlaceReport):
    """A statement about an access of a kernel: that it stays inside of its memory (``bounds``), or that no
    other tile block accesses the elements that it writes (``races``).
    """

    operation: Annotated[str, "the operation of Tile IR"]
    subject: Literal["bounds", "races"]
    status: Literal["proved", "refuted", "not proved"]
    conditions: Annotated[list[str], "of a proof: what must hold of the arguments"]
    because: Annotated[str | None, "why nothing is proved"]
    arguments: Annotated[list[str], "of a refutation: a launch that fails"]
    finding: Annotated[str | None, "of a refutation: the interpreter's message"]


class KernelProofReport(TypedDict):
    """The statements about a kernel, and the number of launches of it in the program's run."""

    name: str
    launches: int
    statements: list[StatementReport]


class ProofReport(TypedDict):
    """The report of `tilewright verify --prove`: the program, and the statements about each of its kernels."""

    schema: Schema
    program: str
    kernels: list[KernelProofReport]
