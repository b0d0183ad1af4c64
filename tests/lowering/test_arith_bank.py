"""The bank of arithmetic: one test for each statement about it, then random modules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.lowering.tileaa_modules import (
    arith_modules,
    converted,
    failure_of,
    function,
    names,
    operand_types,
    parsed,
)
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas.arith_bank import (
    ARITH_OPERATIONS,
    CONSTANT_BENEFIT,
    ConstantTensorOpConversion,
    GenericOpPattern,
    populate_arith_bank,
)
from tilewright.lowering.tileaa_to_tileas.descriptors import populate_tileaa_to_tileas, tileas_target
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.rewrite.conversion.driver import ConversionConfig, FoldingMode, apply_partial_conversion
from tilewright.rewrite.conversion.pattern import Adaptor, ConversionPattern
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import Legality
from tilewright.rewrite.pattern import NoMatch, PatternRole, RewritePattern
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

REGISTRATION_TEXT = """
cmpf cmpi addf addi andi bitcast ceildivsi ceildivui divf divsi divui extf extsi extui floordivsi fptosi fptoui
maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf muli negf ori remf remsi remui select shli shrsi shrui
sitofp subf subi truncf trunci uitofp xori
"""
REGISTRATION = REGISTRATION_TEXT.split()


@pytest.fixture
def bank() -> RewritePatternSet:
    """A set with nothing but the bank."""
    known = context()
    patterns = RewritePatternSet(known)
    populate_arith_bank(patterns, TileASTypeConverter(known))
    return patterns


class TestBank:
    """The 43 instantiations."""

    def test_there_are_43_instantiations_of_one_template(self, bank: RewritePatternSet) -> None:
        assert len(bank) == 43
        assert {type(pattern) for pattern in bank} == {GenericOpPattern}

    def test_each_is_rooted_at_an_operation_with_a_same_named_counterpart(
        self, bank: RewritePatternSet
    ) -> None:
        targets = {op.op_kind.name for op in NV_TILEAS.operations}
        for pattern in bank:
            assert isinstance(pattern, GenericOpPattern)
            assert pattern.root_name == f"arith.{pattern.target.mnemonic}"
            assert pattern.target.name in targets

    def test_all_are_conversion_patterns_with_the_shared_converter(self, bank: RewritePatternSet) -> None:
        assert {pattern.role for pattern in bank} == {PatternRole.TYPE_CONVERSION}
        assert len({id(getattr(pattern, "type_converter", None)) for pattern in bank}) == 1

    def test_patterns_stand_in_registration_order(self, bank: RewritePatternSet) -> None:
        assert [op.op_kind.mnemonic for op in ARITH_OPERATIONS] == REGISTRATION
        assert [pattern.root_name for pattern in bank] == [f"arith.{name}" for name in REGISTRATION]
        assert len(set(REGISTRATION)) == 43

    def test_names_vary_and_type_names_close_with_a_bracket(self, bank: RewritePatternSet) -> None:
        assert len({pattern.type_name for pattern in bank}) == 43
        assert all(pattern.type_name.endswith("]") for pattern in bank)
        assert next(iter(bank)).type_name.endswith("::GenericOpPattern<arith::CmpFOp>]")

    def test_a_tile_sum_keeps_its_type(self) -> None:
        text = function(
            '%r = "arith.addf"(%a, %b) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>\n'
            '"func.return"(%r) : (tensor<8x64xf32>) -> ()',
            "%a: tensor<8x64xf32>; %b: tensor<8x64xf32>",
            "tensor<8x64xf32>",
        )
        assert "%0 = nv_tileas.addf %arg0, %arg1 : tensor<8x64xf32>" in converted(text).print()

    @pytest.mark.parametrize("mnemonic", REGISTRATION)
    def test_every_operation_becomes_the_one_of_its_name(self, mnemonic: str) -> None:
        assert f"nv_tileas.{mnemonic}" in names(converted(one(mnemonic, (8, 64))))

    @pytest.mark.parametrize(
        ("mnemonic", "held"),
        [
            ("truncf", "roundingmode = 3 : i32"),
            ("addf", "fastmath = #arith.fastmath<reassoc,nnan>"),
            ("cmpi", "predicate = 7 : i64"),
            ("cmpf", "predicate = 14 : i64"),
            ("addi", "overflowFlags = #arith.overflow<nsw, nuw>"),
            ("divsi", "isExact"),
        ],
    )
    def test_semantic_attributes_are_copied(self, mnemonic: str, held: str) -> None:
        """Rounding mode, fast-math flags, predicate and overflow flags: losing one is silently wrong code."""
        module = converted(one(mnemonic, (8,), held))
        op = next(op for op in module.walk() if op.name == f"nv_tileas.{mnemonic}")
        name = held.partition(" = ")[0]
        known = context()
        before = next(op for op in parsed(one(mnemonic, (8,), held), known).walk() if op.name[:5] == "arith")
        assert op.attributes[name] is before.attributes[name]

    def test_discardable_attributes_and_places_are_kept(self) -> None:
        text = one("addi", (8,)).replace(" : (tensor", " {note.key = 7 : i32} : (tensor", 1)
        module = converted(text)
        op = next(op for op in module.walk() if op.name == "nv_tileas.addi")
        assert str(op.attributes["note.key"]) == "7 : i32"
        assert op.location.source is not None

    def test_operands_are_converted_by_the_shared_converter(self) -> None:
        """A choice between pointers takes the converted pointers."""
        pointer = "!nv_tileaa.ptr<f32, 1>"
        text = function(
            f'%r = "arith.select"(%c, %a, %b) : (i1, {pointer}, {pointer}) -> {pointer}\n"func.return"() : () -> ()',
            f"%c: i1; %a: {pointer}; %b: {pointer}",
        )
        assert "nv_tileas.select %arg0, %arg1, %arg2 : !llvm.ptr<1>" in converted(text).print()

    def test_a_type_that_cannot_be_converted_fails_the_pattern(self) -> None:
        """Nothing is replaced in part: the module is as it was."""
        type = "tensor<?xi32>"
        text = function(
            f'%a = "ub.poison"() <{{value = #ub.poison}}> : () -> {type}\n'
            f'%r = "arith.addi"(%a, %a) : ({type}, {type}) -> {type}\n"func.return"() : () -> ()'
        )
        error, before, after = failure_of(text)
        assert before == after
        notes = [note for diagnostic in error.diagnostics for note in diagnostic.notes]
        assert any("type tensor<?xi32> of an operand cannot be converted" in str(note) for note in notes)

    def test_a_result_type_that_cannot_be_converted_fails_the_pattern(self) -> None:
        known = context()
        converter = TileASTypeConverter(known)
        module = parsed(one("extsi", (-1,)), known)
        op = next(op for op in module.walk() if op.name == "arith.extsi")
        pattern = GenericOpPattern(type(op), NV_TILEAS.operations[-1].op_kind, converter)
        refused = pattern.match_and_rewrite(op, Adaptor(op, op.operands), ConversionRewriter())
        assert isinstance(refused, NoMatch)
        assert "cannot be converted one to one" in refused.reason
        assert op.parent is not None

    def test_arithmetic_that_is_not_on_tiles_stays(self) -> None:
        """Where accounts differ: only tiles go to `nv_tileas`, everything else keeps its dialect."""
        for shape in (None, (0,)):
            assert "arith.addi" in names(converted(one("addi", shape)))

    def test_generic_patterns_are_fallbacks_of_benefit_one(self, bank: RewritePatternSet) -> None:
        assert {pattern.benefit for pattern in bank} == {1}

    def test_a_specialist_is_preferred(self) -> None:
        """A pattern of higher benefit on the same root comes first, whenever it was registered."""

        class Specialist(ConversionPattern[Operation], root="arith.addf", benefit=2):
            pass

        known = context()
        patterns = RewritePatternSet(known)
        converter = TileASTypeConverter(known)
        populate_arith_bank(patterns, converter)
        patterns.add(Specialist(converter))
        kind = known.kind("arith.addf")
        assert kind is not None
        tried = FrozenRewritePatternSet(patterns).of_kind(kind)
        assert [type(pattern) for pattern in tried] == [Specialist, GenericOpPattern]

    def test_patterns_look_at_no_target(self) -> None:
        """Their outcome is the same whatever chip and capability the module names."""
        text = one("mulf", (8, 64))
        marked = text.replace(
            "}) : () -> ()\n}) : () -> ()",
            '}) : () -> ()\n}) {nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} : () -> ()',
        )
        assert names(converted(marked)) == names(converted(text))


class TestConstants:
    """The specialist for constants."""

    def test_constants_are_not_in_the_bank(self) -> None:
        assert ConstantOp not in ARITH_OPERATIONS

    def test_the_benefit_is_20(self) -> None:
        assert ConstantTensorOpConversion.benefit == CONSTANT_BENEFIT == 20

    def test_it_pre_empts_patterns_of_default_benefit(self) -> None:
        class Other(RewritePattern[ConstantOp]):
            pass

        known = context()
        converter = TileASTypeConverter(known)
        patterns = RewritePatternSet(known, [Other(), ConstantTensorOpConversion(converter)])
        tried = FrozenRewritePatternSet(patterns).of_kind(ConstantOp.op_kind)
        assert [type(pattern) for pattern in tried] == [ConstantTensorOpConversion, Other]

    @pytest.mark.parametrize(
        ("value", "becomes"),
        [
            (
                "dense<1.000000e+00> : tensor<8x64xf32>",
                '"nv_tileaa.splat"() <{value = 1.000000e+00 : f32}> : () -> tensor<8x64xf32>',
            ),
            (
                "dense<[1, 2, 3]> : tensor<3xi32>",
                '"nv_tileaa.constant_tensor"() <{value = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>',
            ),
            (
                "dense<0> : tensor<2xi32>",
                '"nv_tileaa.splat"() <{value = 0 : i32}> : () -> tensor<2xi32>',
            ),
            ("7 : i32", "arith.constant 7 : i32"),
            ("2.500000e-01 : f16", "arith.constant 2.500000e-01 : f16"),
            ("dense<1> : vector<4xi32>", "arith.constant dense<1> : vector<4xi32>"),
            ("dense<true> : tensor<4xi1>", '"nv_tileaa.splat"() <{value = true}> : () -> tensor<4xi1>'),
            (
                "dense<0xFFC00000> : tensor<2xf32>",
                '"nv_tileaa.splat"() <{value = 0xFFC00000 : f32}> : () -> tensor<2xf32>',
            ),
        ],
        ids=["splat", "dense", "zeros", "integer", "float", "vector", "boolean", "nan"],
    )
    def test_three_outcomes(self, value: str, becomes: str) -> None:
        type = value.rpartition(" : ")[2]
        text = function(
            f'%c = "arith.constant"() <{{value = {value}}}> : () -> {type}\n"func.return"(%c) : ({type}) -> ()',
            returns=type,
        )
        assert f" = {becomes}\n" in converted(text).print()

    @pytest.mark.parametrize("numbers", ["0, 0", "1, 1", "-1, 0"])
    def test_the_decision_is_structural(self, numbers: str) -> None:
        """Two numbers that are stored are a constant tensor, one is a splat, whatever the numbers are."""
        known = context()
        text = function(
            f'%c = "arith.constant"() <{{value = dense<[{numbers}]> : tensor<2xi32>}}> : () -> tensor<2xi32>\n'
            '"func.return"() : () -> ()'
        )
        constant = next(op for op in parsed(text, known).walk() if isinstance(op, ConstantOp))
        splat = getattr(constant.value, "is_splat", False)
        found = names(converted(text))[0]
        assert found == ("nv_tileaa.splat" if splat else "nv_tileaa.constant_tensor")

    def test_scalars_are_declined_with_a_reason(self) -> None:
        known = context()
        text = function('%c = "arith.constant"() <{value = 7 : i32}> : () -> i32\n"func.return"() : () -> ()')
        constant = next(op for op in parsed(text, known).walk() if isinstance(op, ConstantOp))
        pattern = ConstantTensorOpConversion(TileASTypeConverter(known))
        refused = pattern.match_and_rewrite(constant, Adaptor(constant, ()), ConversionRewriter())
        assert isinstance(refused, NoMatch)
        assert refused.reason == "a constant of type i32 stays in arith"


def one(mnemonic: str, shape: tuple[int, ...] | None, held: str = "") -> str:
    """A module with one operation of the bank on arguments of a shape; -1 stands for an extent that is not known."""
    types, result = operand_types(mnemonic, shape if shape != (-1,) else (-(1 << 63),))
    words = [str(type) for type in types]
    if "predicate" not in held and mnemonic.startswith("cmp"):
        held = "predicate = 1 : i64"
    arguments = "; ".join(f"%a{number}: {word}" for number, word in enumerate(words))
    uses = ", ".join(f"%a{number}" for number in range(len(words)))
    properties = f" <{{{held}}}>" if held else ""
    return function(
        f'%r = "arith.{mnemonic}"({uses}){properties} : ({", ".join(words)}) -> {result}\n'
        f'"func.return"(%r) : ({result}) -> ()',
        arguments,
        str(result),
    )


class TestRandomModules:
    """What holds of all modules."""

    @settings(max_examples=60, deadline=None)
    @given(arith_modules())
    def test_no_illegal_arithmetic_is_left_and_attributes_are_kept(self, module: Operation) -> None:
        known = context()
        assert verify(module) == []
        before = [(op.kind.mnemonic, op.result_types, dict(op.attributes)) for op in arithmetic(module)]
        converter = TileASTypeConverter(known)
        patterns = RewritePatternSet(known)
        populate_tileaa_to_tileas(patterns, converter)
        target = tileas_target(converter)
        config = ConversionConfig(type_converter=converter, folding=FoldingMode.NEVER)
        assert apply_partial_conversion(module, target, patterns, config)
        assert verify(module) == []
        after = [(op.kind.mnemonic, op.result_types, dict(op.attributes)) for op in arithmetic(module)]
        assert after == before
        assert all(target.legality(op) is not Legality.ILLEGAL for op in module.walk())
        for op in arithmetic(module):
            assert (op.kind.dialect == "arith") == converter.is_free_of_tiles(op)

    @settings(max_examples=30, deadline=None)
    @given(arith_modules())
    def test_folding_on_the_way_leaves_nothing_illegal_either(self, module: Operation) -> None:
        known = context()
        converter = TileASTypeConverter(known)
        patterns = RewritePatternSet(known)
        populate_tileaa_to_tileas(patterns, converter)
        target = tileas_target(converter)
        assert apply_partial_conversion(module, target, patterns)
        assert verify(module) == []
        assert all(target.legality(op) is not Legality.ILLEGAL for op in module.walk())


def arithmetic(module: Operation) -> list[Operation]:
    """The arithmetic of a module in order."""
    return [op for op in module.walk() if op.kind.dialect in ("arith", "nv_tileas")]


def test_operations_outside_of_the_bank_have_no_counterpart() -> None:
    outside = {op.op_kind.mnemonic for op in ARITH.operations} - set(REGISTRATION)
    assert "constant" in outside
    assert not outside & {op.op_kind.mnemonic for op in NV_TILEAS.operations}
