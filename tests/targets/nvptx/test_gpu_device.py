"""The target `cuda` with a double of NVIDIA's driver, whose kernels the simulator runs: nothing here needs a GPU."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.support.synthetic.synthetic_driver import CUresult, Driver, driven
from tilewright.driver import dependencies
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.runtime.description import KernelImage, describe, described
from tilewright.runtime.image import Image
from tilewright.targets.nvptx import device
from tilewright.targets.nvptx.launch_shape import LaunchShape, shape_of

KERNEL = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %scale: tile<i32>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %a = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %b = offset %y, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token
    %w = muli %v, %scale : tile<i32>
    %s = store_ptr_tko weak %b, %w token = %t : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    with driven(monkeypatch) as double:
        yield double


def refusal(*arguments: Any) -> str:
    with pytest.raises(DiagnosticError) as raised:
        tilewright.launch(KERNEL, "k", 4, arguments, target="cuda")
    return str(raised.value)


class TestLaunches:
    def test_arrays_are_copied_there_and_back(self, driver: Driver) -> None:
        x, y = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
        tilewright.launch(KERNEL, "k", 4, [x, y, 3], target="cuda")
        assert y.tolist() == [0, 3, 6, 9]
        assert x.tolist() == [0, 1, 2, 3]
        assert driver.memory == {}
        (config,) = driver.configurations
        assert (config.gridDimX, config.gridDimY, config.gridDimZ) == (4, 1, 1)
        assert config.blockDimX % 32 == 0
        assert (config.sharedMemBytes, config.attrs) == (0, [])
        assert driver.calls.index("cuLaunchKernelEx") < driver.calls.index("cuCtxSynchronize")

    def test_arrays_that_overlap_stay_so(self, driver: Driver) -> None:
        """Each block changes what it has read, in one array that two parameters lead to, or two parts of one."""
        x = np.arange(8, dtype=np.int32)
        tilewright.launch(KERNEL, "k", 8, [x, x, 2], target="cuda")
        assert x.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
        tilewright.launch(KERNEL, "k", 4, [x[:4], x[4:], 3], target="cuda")
        assert x.tolist() == [0, 2, 4, 6, 0, 6, 12, 18]
        assert driver.calls.count("cuMemAlloc") == 3  # parts that only touch are two

    def test_a_launch_that_is_prepared_can_be_repeated(self, driver: Driver) -> None:
        x, y = np.ones(2, np.int32), np.zeros(2, np.int32)
        again = tilewright.compile(KERNEL, target="cuda").prepare(2, [x, y, 5])
        for value in (1, 2):
            x[:] = value
            again()
            assert y.tolist() == [5 * value] * 2
        assert driver.calls.count("cuModuleLoadDataEx") == 1

    def test_arrays_on_the_gpu_are_used_where_they_lie(self, driver: Driver) -> None:
        _, base = driver.cuMemAlloc(64)
        block = driver.memory[base].view(np.int32)
        block[:4] = [1, 2, 3, 4]
        there = SimpleNamespace(__cuda_array_interface__={"data": (base, False)})
        y = np.zeros(4, np.int32)
        tilewright.launch(KERNEL, "k", 4, [there, y, 2], target="cuda")
        assert y.tolist() == [2, 4, 6, 8]
        tilewright.launch(KERNEL, "k", 4, [y, there, 2], target="cuda")
        assert block[:4].tolist() == [4, 8, 12, 16]
        assert list(driver.memory) == [base]

    def test_addresses_keep_their_alignment(self, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[int] = []
        launch = device.CudaDevice.launch
        monkeypatch.setattr(
            device.CudaDevice, "launch", lambda gpu, *rest: seen.extend(rest[-1][:2]) or launch(gpu, *rest)
        )
        x, y = np.arange(64, dtype=np.int32), np.zeros(4, np.int32)
        tilewright.launch(KERNEL, "k", 4, [x[9:13], y, 1], target="cuda")
        assert seen[0] % 256 == x[9:].ctypes.data % 256
        assert seen[1] % 256 == y.ctypes.data % 256


class TestShapes:
    def test_what_ptx_asks_for(self) -> None:
        text = """
        .version 8.0
        .target sm_90a
        .address_size 64
        .entry a() .reqntid 128 .reqnctapercluster 2, 2 .explicitcluster { ret; }
        .entry b() .reqntid 32, 2 .reqnctapercluster 2 .explicitcluster .blocksareclusters { ret; }
        .entry c() { ret; }
        """
        module = read(text)
        assert shape_of(module, "a") == LaunchShape((128, 1, 1), (2, 2, 1), False)
        assert shape_of(module, "b") == LaunchShape((32, 2, 1), (2, 1, 1), True)
        assert shape_of(module, "c") == shape_of(module, "d") == LaunchShape()

    def test_clusters_are_asked_for_unless_the_kernel_says_so_itself(self, driver: Driver) -> None:
        driver.failing["cuLaunchKernelEx"] = CUresult.CUDA_ERROR_NO_DEVICE  # the double runs no clusters
        for counts_clusters in (False, True):
            shape = LaunchShape((128, 1, 1), (2, 1, 1), counts_clusters)
            with pytest.raises(DiagnosticError):
                device.device().launch(None, (1, 1, 1), shape, 0, [])
        asked, kept = (config.attrs for config in driver.configurations)
        size = asked[0].value.clusterDim
        assert (int(asked[0].id), size.x, size.y, size.z) == (4, 2, 1, 1)
        assert kept == []

    @pytest.mark.parametrize(("size", "allowed"), [(48 << 10, None), (100_000, 100_000)])
    def test_dynamic_shared_memory(self, driver: Driver, size: int, allowed: int | None) -> None:
        ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.entry a() .reqntid 32 { ret; }\n"
        kernel = KernelImage("a", "a", (), 0, shared_bytes=size)
        assert described(describe([kernel])) == (kernel,)
        device.DeviceImage(Image(ptx.encode(), (kernel,))).kernels["a"].launch((1, 1, 1), [])
        assert (driver.shared_bytes, driver.configurations[0].sharedMemBytes) == (allowed, size)


class TestChips:
    @pytest.mark.parametrize(
        ("capability", "chip"),
        [
            ((7, 5), "sm_75"),
            ((8, 9), "sm_89"),
            ((9, 0), "sm_90a"),
            ((10, 3), "sm_103a"),
            ((10, 7), "sm_107a"),
            ((10, 9), "sm_107"),
            ((13, 0), "sm_121"),
        ],
    )
    def test_code_is_made_for_the_gpu(self, driver: Driver, capability: tuple[int, int], chip: str) -> None:
        driver.capability = capability
        assert device.chip_of_device() == chip
        assert f".target {chip}" in str(tilewright.compile(KERNEL, target="cuda").asm["ptx"])

    def test_a_gpu_that_is_too_old(self, driver: Driver) -> None:
        driver.capability = (7, 0)
        assert (
            "error[TW0920]: the GPU of this machine has compute capability 7.0, which is too old" in refusal()
        )


class TestRefusals:
    def test_no_driver(self, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(flags: int) -> None:
            raise RuntimeError("libcuda.so.1 is not there\nand more")

        monkeypatch.setattr(driver, "cuInit", fail)
        said = refusal()
        assert (
            "error[TW0920]: there is no driver for NVIDIA's GPUs on this machine: libcuda.so.1 is not there"
            in said
        )
        assert "hint: launch with target='sim:sm_80'" in said

    def test_no_gpu(self, driver: Driver) -> None:
        driver.devices = 0
        assert "error[TW0920]: there is no GPU on this machine\n" in refusal()
        driver.failing["cuInit"] = CUresult.CUDA_ERROR_NO_DEVICE
        assert "there is no GPU on this machine: cuInit returns CUDA_ERROR_NO_DEVICE" in refusal()

    def test_no_bindings(self, driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dependencies, "_is_installed", lambda package: "cuda" not in package)
        said = refusal()
        assert "this needs the package 'cuda.bindings'" in said
        assert "pip install 'tilewright[cuda]'" in said

    def test_ptx_that_the_driver_refuses(self, driver: Driver) -> None:
        driver.failing["cuModuleLoadDataEx"] = CUresult.CUDA_ERROR_INVALID_PTX
        assert "error[TW0925]: the driver does not load the code: Oh no" in refusal(
            *[np.zeros(4, np.int32)] * 2, 1
        )

    @pytest.mark.parametrize("name", ["cuMemAlloc", "cuMemcpyHtoD", "cuLaunchKernelEx", "cuCtxSynchronize"])
    def test_what_fails_leaves_nothing_behind(self, driver: Driver, name: str) -> None:
        x, y = np.zeros(4, np.int32), np.ones(4, np.int32)
        driver.failing[name] = CUresult.CUDA_ERROR_OUT_OF_MEMORY
        message = f"error[TW0925]: {name} returns CUDA_ERROR_OUT_OF_MEMORY: meaning of 2"
        assert message in refusal(x, y, 3)
        assert y.tolist() == [1] * 4
        assert len(driver.memory) == (name == "cuMemAlloc")  # the double has it, and told nobody

    def test_arguments(self, driver: Driver) -> None:
        x = np.zeros(4, np.int32)
        assert "error" in refusal(x, x)
        assert "error" in refusal(x.astype(np.float32), x, 1)
        with pytest.raises(DiagnosticError, match=r"TW0921[\s\S]*put the arrays and the table on the GPU"):
            tilewright.launch(KERNEL, "k", 4, [x, x, 1], memory=[x], target="cuda")

    def test_a_gpu_that_is_only_named(self) -> None:
        with pytest.raises(DiagnosticError, match=r"TW0920[\s\S]*target='cuda' on a machine with a GPU"):
            tilewright.launch(KERNEL, "k", 1, [], target="sm_80")


def test_the_double_has_nothing_that_the_bindings_lack() -> None:
    real = pytest.importorskip(device.BINDINGS)
    for name in (name for name in vars(Driver) if name.startswith(("cu", "CU"))):
        assert hasattr(real, name), name
    for kind in (
        "CUresult",
        "CUdevice_attribute",
        "CUjit_option",
        "CUfunction_attribute",
        "CUlaunchAttributeID",
    ):
        for member in getattr(Driver, kind):
            assert int(getattr(getattr(real, kind), member.name)) == int(member)
    for name in vars(importlib.import_module("tests.support.synthetic.synthetic_driver").CUlaunchConfig()):
        assert hasattr(real.CUlaunchConfig(), name)
