"""Every load and store of tensor memory, in each shape, packed or not, and commits to several blocks, as the ISA has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.definitions.matrices import Choice, choices
from tests.ptxsim.test_ptxsim_tensormemory import cell
from tilewright.ptx.table.matrix import FORMS
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim import launch

COLUMNS = 128
HEAD = """.version 8.8 .target sm_100a .address_size 64
.entry k(.param .u64 image, .param .u64 out) {
    .reg .b32 %r<128>, %v<128>, %t, %s, %m, %w, %lane, %b; .reg .b64 %x, %o, %da, %db, %y; .reg .pred %one, %p, %q, %warp;
    .shared .align 1024 .b8 tile[32768]; .shared .align 8 .b64 bar; .shared .b32 slot;
    mov.u32 %t, %tid.x; mov.u32 %b, bar; setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32;
    ld.param.u64 %x, [image]; ld.param.u64 %o, [out];
    @%one mbarrier.init.shared::cta.b64 [%b], 1;
    @%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 256;
    and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16;
    bar.sync 0; ld.shared.b32 %m, [slot]; add.u32 %lane, %lane, %m;
"""
FREE = "bar.sync 0; @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 256; ret; }"
WAIT_LD, WAIT_ST = "tcgen05.wait::ld.sync.aligned;", "tcgen05.wait::st.sync.aligned;"


def named(name: str, choose: Any = lambda form: True) -> list[InstructionForm]:
    return [form for form in FORMS if form.name == name and choose(form)]


def listed(count: int, name: str = "r") -> str:
    return "{" + ", ".join(f"%{name}{at}" for at in range(count)) + "}"


# --- loads and stores

LOADS, STORES = named("tcgen05.ld.sync.aligned"), named("tcgen05.st.sync.aligned")
FACTORS = {"16x128b": 2, "16x256b": 4}
WIDTHS = {"16x64b": 2, "16x128b": 4, "16x256b": 8}
"""Registers of a thread, and columns of the shape, for each unit of its number; else one."""


def sound(form: InstructionForm) -> Iterator[tuple[Choice, int, int]]:
    """The modifiers of a load or store, its registers, and the constant between its halves; small numbers and great."""
    for words in choices(form):
        shape, times = words["shape"], int(words["num"][1:])
        count = FACTORS.get(shape, 1) * times
        wide = WIDTHS.get(shape, 1) * times * (2 if "pack" in words or "unpack" in words else 1)
        half = COLUMNS - wide - 1 if shape == "16x32bx2" else 0
        fits = count <= 128 and max(wide + half, 2 * wide if half else 0) <= COLUMNS
        if fits and (times in (1, 4) or 2 * wide >= COLUMNS - 2 * bool(half)):
            yield words, count, half


def cells(words: Choice, thread: int, register: int, half: int) -> list[tuple[int, int]]:
    """The lanes and columns of a thread's register: one, or two columns side by side with 16 bits each.

    The halves of 16x32bx2 are ``half`` columns apart, whatever is packed.
    """
    if words["shape"] == "16x32bx2":
        lane, column, further = thread % 16, register, half * (thread // 16)
    else:
        (lane, column), further = cell(words["shape"], thread, register), 0
    if "pack" in words or "unpack" in words:
        return [(lane, 2 * column + further), (lane, 2 * column + 1 + further)]
    return [(lane, column + further)]


def whole(text: str, image: Any, count: int) -> Any:
    """Registers of 128 threads behind a body that begins with ``image``, a row of registers for each thread."""
    out = np.zeros((128, count), np.uint32)
    stores = f"mad.wide.u32 %o, %t, {4 * count}, %o;"
    stores += "".join(f"st.global.b32 [%o+{4 * at}], %r{at};" for at in range(count))
    launch(HEAD + text + stores + FREE, "k", (1,), (128,), [image, out])
    return out


def filled(count: int, name: str = "r") -> str:
    """The registers of a thread from its row of the image."""
    return f"mad.wide.u32 %y, %t, {4 * count}, %x;" + "".join(
        f"ld.global.b32 %{name}{at}, [%y+{4 * at}];" for at in range(count)
    )


def everything(word: str, name: str = "r") -> str:
    """A load or store of all columns."""
    moved = listed(COLUMNS, name)
    operands = f"{moved}, [%lane]" if word == "ld" else f"[%lane], {moved}"
    return f"tcgen05.{word}.sync.aligned.32x32b.x{COLUMNS}.b32 {operands}; tcgen05.wait::{word}.sync.aligned;"


def check_load(words: Choice, count: int, half: int, form: InstructionForm) -> bool:
    """All columns hold what lane and column say, and a load takes some of them."""
    fill = "".join(f"mad.lo.u32 %r{at}, %t, 65536, {at};" for at in range(COLUMNS))
    tail = f", {half}" if half else ""
    text = f"{fill} {everything('st')} {form.spelt(words)} {listed(count)}, [%lane]{tail}; {WAIT_LD}"
    found = whole(text, np.zeros(1, np.uint32), count)
    expected = np.zeros((128, count), np.uint32)
    for thread, at in ((thread, at) for thread in range(128) for at in range(count)):
        places = cells(words, thread % 32, at, half)
        values = [(thread // 32 * 32 + lane) << 16 | column for lane, column in places]
        if len(values) == 2:
            values = [values[0] & 0xFFFF | (values[1] & 0xFFFF) << 16]
        expected[thread, at] = values[0]
    return bool((found == expected).all())


def check_store(words: Choice, count: int, half: int, form: InstructionForm) -> bool:
    """All bits of all columns are set; a store changes its own."""
    clear = "".join(f"mov.b32 %v{at}, -1;" for at in range(COLUMNS)) + everything("st", "v")
    image = np.random.default_rng(count).integers(0, 2**31, (128, count), dtype=np.uint32)
    middle = f" {half}," if half else ""
    expected = np.full((128, COLUMNS), 2**32 - 1, np.uint32)
    for thread, at in ((thread, at) for thread in range(128) for at in range(count)):
        places, value = cells(words, thread % 32, at, half), int(image[thread, at])
        for number, (lane, column) in enumerate(places):
            part = value if len(places) == 1 else value >> 16 * number & 0xFFFF
            expected[thread // 32 * 32 + lane, column] = part
    text = f"{clear} {filled(count)} {form.spelt(words)} [%lane],{middle} {listed(count)}; {WAIT_ST}"
    return bool((whole(text + everything("ld"), image, COLUMNS) == expected).all())


@pytest.mark.parametrize("form", LOADS, ids=["shapes", "halves"])
def test_loads_take_the_cells_of_the_definition(form: InstructionForm) -> None:
    wrong = [
        form.spelt(words) for words, count, half in sound(form) if not check_load(words, count, half, form)
    ]
    assert not wrong


@pytest.mark.parametrize("form", STORES, ids=["shapes", "halves"])
def test_stores_write_the_cells_of_the_definition(form: InstructionForm) -> None:
    wrong = [
        form.spelt(words) for words, count, half in sound(form) if not check_store(words, count, half, form)
    ]
    assert not wrong


# --- commits

COMMITS = named("tcgen05.commit", lambda form: any(one.name == "mask" for one in form.operands))
CLUSTER = """.version 8.8 .target sm_100a .address_size 64
.entry k(.param .u64 out) {
    .reg .b32 %t, %w, %rank; .reg .b16 %mask; .reg .b64 %x; .reg .pred %one, %q, %mine; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %rank, %cluster_ctarank; setp.eq.u32 %one, %t, 0;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    mov.b16 %mask, MASK; setp.eq.and.u32 %one, %rank, 0, %one; @%one COMMIT [bar], %mask;
    shr.u32 %w, MASK, %rank; and.b32 %w, %w, 1; setp.eq.u32 %mine, %w, 1; @!%mine bra met;
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra wait;
met: barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    mbarrier.test_wait.parity.shared::cta.b64 %q, [bar], 0; selp.u32 %w, 1, 0, %q;
    ld.param.u64 %x, [out]; mad.wide.u32 %x, %rank, 4, %x; setp.eq.u32 %one, %t, 0; @%one st.global.b32 [%x], %w; ret; }
"""


@pytest.mark.parametrize("mask", [1, 2, 3])
def test_a_commit_arrives_in_the_blocks_of_its_mask(mask: int) -> None:
    for form in COMMITS:
        for words in choices(form):
            out = np.zeros(2, np.uint32)
            text = CLUSTER.replace("MASK", str(mask)).replace("COMMIT", form.spelt(words))
            launch(text, "k", (2,), (32,), [out], cluster=(2,))
            assert out.tolist() == [mask & 1, mask >> 1]
