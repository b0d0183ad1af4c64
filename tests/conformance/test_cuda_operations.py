"""What only PyTorch's CUDA build has is computed here or refused by name, for all that PyTorch's registry lists."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tilewright.gpu_programs import ProgramSettings, routed

torch: Any = pytest.importorskip("torch")
cuda_operations: Any = pytest.importorskip("conformance.cuda_operations")


@pytest.mark.filterwarnings("ignore::UserWarning")  # PyTorch's, of operations that it will drop
def test_operations_of_gpus_have_a_route_or_are_refused_by_name() -> None:
    with routed(ProgramSettings()):
        found = cuda_operations.answers(torch)
    assert [one for one in found if one.outcome == cuda_operations.FAILED] == []
    counts = Counter(one.outcome for one in found)
    assert counts[cuda_operations.ROUTED] >= 40
    assert counts[cuda_operations.REFUSED] >= 60


def test_an_operation_that_is_neither_fails_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_operations, "operations", lambda torch: ["aten::mm"])
    monkeypatch.setattr(cuda_operations, "_value", lambda torch, argument: torch.ones(2, device="cuda"))
    assert cuda_operations.main([]) == 1
    assert "FAILED   aten::mm" in capsys.readouterr().out
