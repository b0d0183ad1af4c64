"""What a block holds goes when it ends, without a collection of garbage."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from tests.ptxsim.harness import HEAD
from tilewright.ptxsim import launch
from tilewright.ptxsim.block import SimulatedBlock

KERNEL = (
    HEAD
    + """
.visible .entry k(.param .u64 a)
{
    .reg .b64 %rd1;
    ld.param.u64 %rd1, [a];
    bar.sync 0;
    ret;
}
"""
)


def blocks() -> list[SimulatedBlock]:
    """All that live; tests of launches that fail leave some behind."""
    return [one for one in gc.get_objects() if isinstance(one, SimulatedBlock)]


@pytest.mark.usefixtures("no_collections")
def test_no_block_is_left() -> None:
    before = blocks()
    launch(KERNEL, "k", (4,), (64,), [np.zeros(4, np.uint32)])
    assert [one for one in blocks() if not any(one is other for other in before)] == []
