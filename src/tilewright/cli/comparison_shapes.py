"""The declarations of the report of `tilewright compare`, as in `tilewright.cli.report_shapes`."""

from __future__ import annotations

from typing import Annotated, TypedDict

from tilewright.cli.report_shapes import DiagnosticReport, Schema


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
    """The report of `tilewright compare`."""

    schema: Schema
    findings: Annotated[list[DiagnosticReport], "empty if no launch loses digits"]
    launches: list[ComparedLaunchReport]
