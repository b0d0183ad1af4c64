"""Tensors of the host that a program passes to a kernel on the GPU: told as there, by cuTile and by Triton."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.gpu_programs import torch_kernels
from tilewright.gpu_programs import ProgramSettings, Routing, routed
from tilewright.gpu_programs.refusals import HostTensorError

torch: Any = pytest.importorskip("torch")
numpy: Any = pytest.importorskip("numpy")
pytest.importorskip("cuda.tile")


@pytest.fixture(autouse=True, params=["cpu", "interp", "sim:sm_80"])
def routing(request: pytest.FixtureRequest) -> Iterator[Routing]:
    with routed(ProgramSettings.of(request.param)) as made:
        yield made


def launch(*arguments: Any) -> None:
    tile: Any = import_module("cuda.tile")
    kernels: Any = torch_kernels
    tile.launch(0, (1,), kernels.copy_all if len(arguments) > 1 else kernels.add_one, arguments)


def test_cutile_is_told_the_argument_and_the_line() -> None:
    x = torch.zeros(4)
    with pytest.raises(
        HostTensorError, match=r"TW1304.*'add_one' gets a tensor of the host as argument 0"
    ) as raised:
        launch(x)
    assert x.tolist() == [0] * 4
    assert "test_host_tensors.py" in str(raised.value)
    assert "x.cuda()" in str(raised.value)
    gpu = torch.zeros(4, device="cuda")
    with pytest.raises(ValueError, match="as argument 1"):
        launch([gpu], [x], 4)


@pytest.mark.parametrize("make", ["cuda", "pinned", "numpy"])
def test_what_a_gpu_reaches_and_arrays_are_taken(make: str) -> None:
    made = {
        "cuda": lambda: torch.zeros(4, device="cuda"),
        "pinned": lambda: torch.zeros(4).pin_memory(),
        "numpy": lambda: numpy.zeros(4, numpy.float32),
    }[make]()
    launch(made)
    assert made.tolist() == [1] * 4
