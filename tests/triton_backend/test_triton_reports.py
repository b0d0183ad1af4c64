"""Mistakes in Triton's kernels that were reported in public are found at their lines."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest.importorskip("triton.language")
if not entry_points(group="triton.backends", name="tilewright"):
    pytest.skip("the installed tilewright has no entry point yet", allow_module_level=True)

from conformance.triton.reports import REPORTS, Report


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.source)
def test_the_mistake_is_found_and_the_right_kernel_is_not_accused(
    report: Report, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    assert report.outcome() == "found"
