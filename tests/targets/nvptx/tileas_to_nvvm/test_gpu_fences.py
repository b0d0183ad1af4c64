"""What orders grids and mappings of memory on GPUs: instructions where a chip has them, else a reason."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, ptx_of, same
from tilewright.ir.diagnostic import DiagnosticError

OPERATIONS = {
    "gdc_wait_tko": ("griddepcontrol.wait", 90),
    "gdc_launch_dependents_tko": ("griddepcontrol.launch_dependents", 90),
    "memory_fence_alias_tko": ("fence.proxy.alias", 70),
}


def program(operation: str) -> str:
    """A kernel that adds one to a number, with an operation between the load and the store."""
    token = "%t" if operation == "memory_fence_alias_tko" else "token = %t -> token"
    body = f"""%v, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %u = {operation} {token}
    %w = addi %v, %one : tile<i32>
    %s = store_ptr_tko weak %x, %w token=%u : tile<ptr<i32>>, tile<i32> -> token
    """
    return kernel("%x: tile<ptr<i32>>", body)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("chip", ["sm_75", "sm_80", "sm_90a", "sm_120a"])
def test_an_instruction_where_the_chip_has_it(operation: str, chip: str) -> None:
    spelling, since = OPERATIONS[operation]
    text = program(operation)
    if int(chip.strip("sm_a")) >= since:
        assert f"\t{spelling};" in ptx_of(text, chip)
        assert same(text, (1,), [np.array([41], np.int32)], chip)[0][0] == 42
        return
    with pytest.raises(DiagnosticError) as caught:
        ptx_of(text, chip)
    assert f"{chip} cannot do 'cuda_tile.{operation}', which GPUs have from sm_{since} on" in str(
        caught.value
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_processor_has_nothing_to_order(operation: str) -> None:
    array = np.array([41], np.int32)
    tilewright.launch(program(operation), "k", 1, [array], target="cpu")
    assert array[0] == 42
