"""The Python API in MLIR's names."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import tilewright as tw
from tests.house.tree import ROOT, run_python
from tilewright.ir.builtin_attributes import UnitAttr
from tilewright.ir.builtin_types import IntegerType, f32
from tilewright.ir.diagnostic import DiagnosticError

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
TEXT = KERNEL.read_text()


@pytest.mark.parametrize("name", tw.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(tw, name) is not None


def test_names_are_loaded_one_by_one() -> None:
    program = "import tilewright, sys; tilewright.Operation; print('tilewright.driver.launch' in sys.modules)"
    assert run_python(program).strip() == "False"


class TestModule:
    @pytest.mark.parametrize("source", [TEXT, TEXT.encode(), tw.Module.parse(TEXT).to_bytecode()])
    def test_parsing(self, source: str | bytes) -> None:
        module = tw.Module.parse(source)
        assert isinstance(module.operation, tw.Operation)
        assert [op.name for op in module.body.operations] == ["cuda_tile.entry"]
        assert str(module) == str(module.operation)

    def test_files(self, tmp_path: Path) -> None:
        assert not tw.diff(tw.Module.parseFile(KERNEL), TEXT)
        with pytest.raises(DiagnosticError, match="TW0503"):
            tw.Module.parseFile(tmp_path / "missing")

    def test_errors_name_the_source(self) -> None:
        with pytest.raises(DiagnosticError, match=r"here\.mlir:1:1: error\[TW0002\]"):
            tw.Module.parse("foo.a", name="here.mlir")
        with pytest.raises(DiagnosticError, match=r"func\.return"):
            tw.Module.parse("func.func @a() -> i32 { return }")

    def test_creating(self) -> None:
        module = tw.Module.create()
        assert module.body.operations == []
        tw.InsertionPoint(module.body).insert(tw.Module.parse(TEXT).operation)
        assert module.operation.verify()
        assert "cuda_tile.module @sample" in str(module)

    def test_contexts(self) -> None:
        context = tw.Context(allow_unregistered=True)
        module = tw.Module.parse('"some.op"() : () -> ()', context)
        assert module.context is context
        assert context.allow_unregistered_dialects
        with tw.Context() as entered:
            assert tw.Module.parse("module {}").context is entered

    def test_equality_is_that_of_the_operation(self) -> None:
        module = tw.Module.parse(TEXT)
        assert module == tw.Module(module.operation)
        assert module != tw.Module.parse(TEXT)
        assert len({module, tw.Module(module.operation)}) == 1

    def test_dumping(self, capsys: pytest.CaptureFixture[str]) -> None:
        tw.Module.parse("module {}").dump()
        assert capsys.readouterr() == ("", "module {\n}\n")


class TestOperations:
    def test_parts(self) -> None:
        (entry,) = tw.Module.parse(TEXT).body.operations
        (block,) = entry.regions[0].blocks
        store = block.operations[-2]
        assert store.block is block
        assert store.operation is store
        assert store.parent_op is entry
        assert store.operands[0].owner is block.operations[4]
        assert [value.type for value in store.results] == [tw.Type.parse("!cuda_tile.token", tw.Context())]
        assert list(block.operations[4].results[0].operand_uses()) == [(block.operations[7], 0), (store, 0)]
        assert store.location.source == ("<string>", 14, 15)

    def test_verifying(self) -> None:
        module = tw.Module.parse("module {\n func.func @a() { return }\n func.func @b() { return }\n}")
        assert module.operation.verify()
        for op in module.body.operations:
            op.regions[0].block.ops[0].attributes["x y"] = UnitAttr()
            op.regions[0].block.ops[0].erase()
        with pytest.raises(DiagnosticError) as raised:
            module.operation.verify()
        assert len(raised.value.diagnostics) == 2

    def test_printing(self) -> None:
        operation = tw.Module.parse("module {\n func.func @a() { return }\n}").operation
        assert operation.get_asm() == str(operation)
        assert '"func.return"' in operation.get_asm(print_generic_op_form=True)
        assert operation.get_asm(skip_regions=True) == "module {...}"
        assert "loc(" in operation.get_asm(enable_debug_info=True)

    def test_walking(self) -> None:
        operation = tw.Module.parse("module {\n func.func @a() { return }\n}").operation
        seen: list[str] = []

        def look(op: tw.Operation) -> None:
            seen.append(op.name)

        assert operation.walk(look) is tw.WalkResult.ADVANCE
        assert seen == ["func.return", "func.func", "builtin.module"]
        operation.walk(look, tw.WalkOrder.PRE_ORDER)
        assert seen[3:] == seen[:3][::-1]
        assert [op.name for op in operation.walk()] == seen[3:]
        assert operation.walk(lambda op: tw.WalkResult.INTERRUPT) is tw.WalkResult.INTERRUPT

    def test_skipping(self) -> None:
        operation = tw.Module.parse("module {\n func.func @a() { return }\n}").operation
        seen: list[str] = []

        def look(op: tw.Operation) -> int:
            seen.append(op.name)
            return tw.WalkResult.SKIP if op.name == "func.func" else tw.WalkResult.ADVANCE

        operation.walk(look, tw.WalkOrder.PRE_ORDER)
        assert seen == ["builtin.module", "func.func"]


class TestAttributes:
    def test_with_a_context(self) -> None:
        context = tw.Context()
        assert tw.Type.parse("f32", context) is f32
        assert IntegerType.parse("i7", context) is IntegerType(7)
        assert str(tw.Attribute.parse("#cuda_tile.rounding<zero>", context)) == "#cuda_tile.rounding<zero>"

    def test_the_innermost_context_entered(self) -> None:
        with pytest.raises(ValueError, match="no context"):
            tw.Type.parse("f32")
        with tw.Context(), tw.Context(allow_unregistered=True):
            assert str(tw.Type.parse("!other.type")) == "!other.type"
        with pytest.raises(ValueError, match="no context"):
            tw.Type.parse("f32")

    def test_threads_have_their_own(self) -> None:
        found: list[str] = []

        def other() -> None:
            try:
                tw.Type.parse("f32")
            except ValueError as error:
                found.append(str(error))

        with tw.Context():
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        assert len(found) == 1

    def test_refusals(self) -> None:
        with tw.Context():
            with pytest.raises(TypeError, match="FloatType, not IntegerType"):
                IntegerType.parse("f32")
            with pytest.raises(DiagnosticError):
                tw.Type.parse("nothing")


class TestPassManager:
    def test_pipelines(self) -> None:
        module = tw.Module.parse(TEXT)
        manager = tw.PassManager.parse("cuda_tile.module(canonicalize,cse)")
        assert str(manager).startswith("cuda_tile.module(canonicalize")
        manager.run(module)
        assert "make_token" not in str(module)

    def test_any_anchor(self) -> None:
        module = tw.Module.parse(TEXT)
        tw.PassManager.parse("canonicalize").run(module.operation)
        assert "make_token" not in str(module)

    def test_wrong_anchors_and_names(self) -> None:
        with pytest.raises(DiagnosticError, match="can't run"):
            tw.PassManager.parse("builtin.module(cse)").run(tw.Module.parse(TEXT))
        with pytest.raises(DiagnosticError, match="canonicalize"):
            tw.PassManager.parse("canonicalise")

    def test_adding(self) -> None:
        seen: list[str] = []
        manager = tw.PassManager("builtin.module")
        manager.add("cse").add(lambda op, state: seen.append(op.name))
        manager.enable_verifier(False)
        manager.run(tw.Module.create())
        assert (seen, manager.verify_each) == (["builtin.module"], False)
