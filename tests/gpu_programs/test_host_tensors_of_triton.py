"""Tensors of the host that a program for GPUs passes to a kernel of Triton."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright.gpu_programs import ProgramSettings, routed
from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.refusals import HostTensorError

torch: Any = pytest.importorskip("torch")


def ran() -> None:
    """A launch."""


def test_triton_is_told_as_on_a_gpu() -> None:
    with routed(ProgramSettings()) as routing:
        launches: Launches = routing.launches
        gpu, host = torch.zeros(4, device="cuda"), torch.zeros(4)
        launches.make("k", (1, 1, 1), (gpu, host.pin_memory(), host.numpy(), 3), ran)
        words = r"TW1304.*'k': Pointer argument \(at 1\) cannot be accessed from Triton \(cpu tensor\?\)"
        with pytest.raises(HostTensorError, match=words) as raised:
            launches.make("k", (1, 1, 1), (gpu, host), ran)
    assert isinstance(raised.value, ValueError)
    assert "test_host_tensors_of_triton.py" in str(raised.value)
