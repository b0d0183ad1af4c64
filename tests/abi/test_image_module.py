"""Modules in memory images: written, read back, walked, damaged."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from tests.abi.damage import flip_bits, only_diagnostics
from tests.support.sample_dialect import SAMPLE, nest, value
from tilewright.abi.image.module import read_module, write_module
from tilewright.abi.image.segments import AbiImage, ReadableMemory
from tilewright.abi.image.views import TileirasView, view_of
from tilewright.abi.image.walker import ImageVisitor, Visit, addresses, walk_image
from tilewright.abi.image.writer import MemoryImage
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import operation as ops
from tilewright.driver.startup import context
from tilewright.ir.block import Block, Region
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.walker import Visitor, WalkResult, walk_with
from tilewright.testing.strategies import modules, sample_modules

CONTEXT = context()
CONTEXT.allow_unregistered = True
PROFILES = pytest.mark.parametrize("profile", Profile, ids=str)

TEXT = """
module {
  "a.f"() ({
  ^bb0(%x: i32 loc("k.py":3:4), %y: f32):
    %0:8 = "a.g"(%x, %y, %x) <{p = 1 : i32}> {k = "é", unit, nested = {a = [1, 2.5 : f32]}} :
      (i32, f32, i32) -> (i32, i32, i32, i32, i32, i32, i32, f32) loc(callsite("f"("k.py":1:2) at fused["a", unknown]))
    "a.br"(%0#7, %0#1, %0#7)[^bb1, ^bb0, ^bb1] : (f32, i32, f32) -> ()
  ^bb1:
    "a.ret"() : () -> ()
  ^bb2(%z: memref<?x4xf32, strided<[4, 1], offset: ?>>):
    "a.br"()[^bb1] : () -> ()
  }, {}) : () -> ()
  func.func @twice(%x: i32) -> i32 attributes {llvm.note = affine_map<(d0) -> (d0 + 1)>} {
    %0 = arith.addi %x, %x overflow<nsw> : i32
    return %0 : i32
  }
}
"""


def sample() -> Operation:
    return parse_module(CONTEXT, TEXT)


def use_lists(module: Operation) -> list[list[tuple[str, int]]]:
    """The use list of every value, users named by their number in pre-order."""
    numbers = {op: str(number) for number, op in enumerate(module.walk())}
    values = [
        value
        for op in module.walk()
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.arguments))
    ]
    return [[(numbers[user], at) for user, at in value.operand_uses()] for value in values]


def predecessors(module: Operation) -> list[list[int]]:
    return [
        list(block.predecessor_uses.values())
        for op in module.walk()
        for region in op.regions
        for block in region.blocks
    ]


def assert_same(before: Operation, after: Operation) -> None:
    assert difference(before, after, locations=True) is None
    assert use_lists(before) == use_lists(after)
    assert predecessors(before) == predecessors(after)
    for first, second in zip(before.walk(), after.walk(), strict=True):
        assert first.kind is second.kind
        assert list(first.attributes.items()) == list(second.attributes.items())


@PROFILES
class TestReadingBack:
    def test_everything_is_there(self, profile: Profile) -> None:
        module = sample()
        assert_same(module, read_module(write_module(module, profile), CONTEXT))

    def test_text_is_the_same(self, profile: Profile) -> None:
        module = sample()
        again = read_module(write_module(module, profile), CONTEXT)
        assert str(again) == str(module)
        assert again.attributes is not module.attributes

    @settings(max_examples=15)
    @given(module=modules(statements=3, entries=1))
    def test_generated_modules(self, profile: Profile, module: Operation) -> None:
        assert_same(module, read_module(write_module(module, profile), CONTEXT))

    def test_the_order_of_uses_after_a_rewrite(self, profile: Profile) -> None:
        module = sample()
        add = next(op for op in module.walk() if op.name == "arith.addi")
        x = add.operands[0]
        add.set_operands([x, x])
        call = next(op for op in module.walk() if op.name == "a.g")
        call.set_operand(2, call.operands[2])
        first = call.operands[0]
        call.set_operands([first, call.operands[1], first])
        assert_same(module, read_module(write_module(module, profile), CONTEXT))

    @pytest.mark.parametrize("count", [0, 1, 6, 7, 255, 256, 300])
    def test_many_results(self, profile: Profile, count: int) -> None:
        from tilewright.ir.builtin_types import f32, i32

        kind = CONTEXT.unregistered_kind("a.many")
        many = Operation.from_parts(kind, result_types=[(i32, f32)[at % 2] for at in range(count)])
        use = Operation.from_parts(CONTEXT.unregistered_kind("a.use"), operands=many.results[::-1])
        block = Block()
        block.append(many)
        block.append(use)
        top = Operation.from_parts(CONTEXT.unregistered_kind("a.top"), regions=[Region([block])])
        assert_same(top, read_module(write_module(top, profile), CONTEXT))

    def test_depth(self, profile: Profile) -> None:
        module: Operation = value()
        for _ in range(5000):
            module = nest([module])
        own = Context([SAMPLE])
        image = write_module(module, profile)
        again = read_module(image, own)
        assert len(list(again.walk())) == 5001
        assert [op.kind for op in again.walk()] == [op.kind for op in module.walk()]
        assert len(addresses(view_of(image.image, profile), image.root)) == len(list(module.walk()))

    def test_the_image_does_not_depend_on_anything_else(self, profile: Profile) -> None:
        first, second = write_module(sample(), profile), write_module(sample(), profile)
        assert [bytes(s.data) for s in first.image.segments] == [bytes(s.data) for s in second.image.segments]


@PROFILES
class TestRefusals:
    def test_values_from_outside(self, profile: Profile) -> None:
        inner = next(op for op in sample().walk() if op.name == "arith.addi")
        with pytest.raises(DiagnosticError, match=r"(?s)TW1003.*defined outside.*hint: write the outermost"):
            write_module(inner, profile)

    def test_blocks_from_outside(self, profile: Profile) -> None:
        branch = [op for op in sample().walk() if op.name == "a.br"][1]
        with pytest.raises(DiagnosticError, match=r"TW1003.*outside the operation being written"):
            write_module(branch, profile)

    def test_unknown_operations(self, profile: Profile) -> None:
        image = write_module(sample(), profile)
        with pytest.raises(DiagnosticError, match=r"(?s)TW0002.*not registered.*hint: load its dialect"):
            read_module(image, Context())

    def test_uses_outside_are_left_out(self, profile: Profile) -> None:
        module = sample()
        constant = parse_module(CONTEXT, "%0 = arith.constant 1 : i32", implicit_module=False)
        user = Operation.from_parts(CONTEXT.unregistered_kind("a.use"), operands=constant.results)
        assert user.operands
        again = read_module(write_module(constant, profile), CONTEXT)
        assert not again.has_uses
        assert module.name == "builtin.module"


Events = list[tuple[str, int]]


def live_events(root: Operation, answers: dict[int, int], kinds: set[str] | None) -> tuple[Events, int]:
    numbers = {op: number for number, op in enumerate(root.walk())}
    events: Events = []

    def hook(name: str, op: Operation) -> int:
        events.append((name, numbers[op]))
        return answers.get(len(events), 0)

    visitor = Visitor(
        lambda op: hook("per_op", op),
        enter=lambda op: hook("enter", op),
        leave=lambda op: events.append(("leave", numbers[op])),
        kinds=None if kinds is None else [op.kind for op in root.walk() if op.name in kinds],
    )
    return events, walk_with(root, visitor)


def image_events(image: MemoryImage, answers: dict[int, int], kinds: set[str] | None) -> tuple[Events, int]:
    view = view_of(image.image, image.profile)
    order = addresses(view, image.root)
    numbers = {address: number for number, address in enumerate(order)}
    events: Events = []

    def hook(name: str, visit: Visit) -> int:
        events.append((name, numbers[visit.address]))
        return answers.get(len(events), 0)

    visitor = ImageVisitor(
        lambda visit: hook("per_op", visit),
        enter=lambda visit: hook("enter", visit),
        leave=lambda visit: events.append(("leave", numbers[visit.address])),
        kinds=None if kinds is None else {view.kind(a) for a in order if view.name(a) in kinds},
    )
    return events, walk_image(view, image.root, visitor)


class Counted:
    """Memory that notes which bytes of operations' headers are read."""

    def __init__(self, memory: AbiImage, starts: set[int]) -> None:
        self.memory = memory
        self.starts = sorted(starts)
        self.offsets: set[tuple[int, int]] = set()

    def read(self, address: int, size: int) -> memoryview:
        for start in self.starts:
            if start <= address < start + ops.OPERATION.size:
                self.offsets.add((address - start, size))
        return self.memory.read(address, size)


class TestWalking:
    @PROFILES
    @settings(max_examples=60)
    @given(
        answers=st.dictionaries(st.integers(1, 60), st.sampled_from(list(map(int, WalkResult))), max_size=6),
        kinds=st.sampled_from([None, {"a.g", "arith.addi"}, {"func.func", "a.br"}, set()]),
    )
    def test_the_same_visits_as_on_live_ir(
        self, profile: Profile, answers: dict[int, int], kinds: set[str] | None
    ) -> None:
        module = sample()
        image = write_module(module, profile)
        assert image_events(image, answers, kinds) == live_events(module, answers, kinds)

    @PROFILES
    def test_sampled_modules(self, profile: Profile) -> None:
        for module in sample_modules(5, seed="walk"):
            image = write_module(module, profile)
            view = view_of(image.image, profile)
            visited = addresses(view, image.root)
            assert [view.name(address) for address in visited] == [op.name for op in module.walk()]
            assert [view.num_operands(a) for a in visited] == [len(op.operands) for op in module.walk()]

    def test_four_header_reads(self) -> None:
        image = write_module(sample(), Profile.TILEIRAS)
        starts = set(addresses(view_of(image.image, Profile.TILEIRAS), image.root))
        memory: ReadableMemory = Counted(image.image, starts)
        assert isinstance(memory, Counted)
        walk_image(TileirasView(memory), image.root, ImageVisitor(lambda _: None, kinds=set()))
        name = (0x40, 8)  # read twice: to dispatch, and to compare with the filter
        assert memory.offsets == {name, (0x28, 4), (0x08, 8)}

    def test_frames_lie_in_memory(self) -> None:
        from tilewright.abi.image.walker import ImageWalker
        from tilewright.abi.layouts.walk import WALK_FRAME

        image = write_module(sample(), Profile.TILEIRAS)
        seen: list[dict[str, object]] = []

        def note(visit: Visit) -> None:
            frames = walker.stack.data
            seen.extend(WALK_FRAME.decode(frames, at) for at in range(0, len(frames), WALK_FRAME.size))

        walker = ImageWalker(view_of(image.image, Profile.TILEIRAS), ImageVisitor(leave=note))
        walker.run(image.root)
        assert {frame["op"] for frame in seen} >= {image.root}
        assert {frame["phase"] for frame in seen} >= {1, 2}
        table = int.from_bytes(walker.image.read(walker.visitor_address, 8), "little")
        slots = [int.from_bytes(walker.image.read(table + 8 * at, 8), "little") for at in range(3)]
        assert len({walker.image.at(slot) for slot in slots}) == 1
        assert all(frame["visitor"] == walker.visitor_address for frame in seen)


@PROFILES
class TestDamage:
    @pytest.mark.parametrize("seed", range(150))
    def test_flipped_bits_give_diagnostics(self, profile: Profile, seed: int) -> None:
        image = write_module(sample(), profile)
        rng = random.Random(f"{profile}/{seed}")
        flip_bits(image.image, rng, rng.choice((1, 1, 3, 20)))
        with only_diagnostics():
            read_module(image, CONTEXT)
        with only_diagnostics():
            addresses(view_of(image.image, profile), image.root)

    @pytest.mark.parametrize("seed", range(20))
    def test_cut_segments(self, profile: Profile, seed: int) -> None:
        image = write_module(sample(), profile)
        rng = random.Random(seed)
        held = rng.choice([s for s in image.image.segments if s.data and s.name != "uniquer"])
        del held.data[rng.randrange(len(held.data) // 2) :]
        with pytest.raises(DiagnosticError):
            read_module(image, CONTEXT)

    def test_circles_end(self, profile: Profile) -> None:
        image = write_module(sample(), profile)
        view = view_of(image.image, profile)
        third = addresses(view, image.root)[2]
        struct, base = (
            (ops.OPERATION_LINK, -16) if profile is Profile.TILEIRAS else (ops.UPSTREAM_OPERATION, 0)
        )
        image.image.write(third + base + struct.offset("next"), third.to_bytes(8, "little"))
        with pytest.raises(DiagnosticError, match=r"TW1002.*circle"):
            addresses(view, image.root)
        with pytest.raises(DiagnosticError, match=r"TW1002.*two places"):
            read_module(image, CONTEXT)

    def test_the_message_names_the_block(self, profile: Profile) -> None:
        image = write_module(sample(), profile)
        view = view_of(image.image, profile)
        block = next(iter(view.blocks(view.regions(addresses(view, image.root)[1])[0])))
        if profile is Profile.TILEIRAS:
            place, count = block + ops.BLOCK.offset("num_arguments"), b"\xff" * 4
        else:
            place, count = block + ops.UPSTREAM_BLOCK.offset("arguments") + 8, b"\xff" * 7
        image.image.write(place, count)
        with pytest.raises(DiagnosticError, match=rf"the block at {block:#x} claims \d+ arguments"):
            view.arguments(block)
