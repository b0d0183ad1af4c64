"""What processors have instructions for is one table; what targets share asks it, and knows no processor."""

import pytest

from tests.house.tree import import_statements, parsed, python_files
from tilewright.ir.builtin_types import f16, f32, i8, i32
from tilewright.targets.cpu.machine import avx512
from tilewright.targets.cpu.machine.host import PROCESSORS, processor
from tilewright.targets.cpu.machine.instructions import FEATURES, instructions_of
from tilewright.targets.cpu.machine.product_kinds import ProductFacts, kind_of
from tilewright.targets.elements.math.library import FUNCTIONS, formula

ADDING_PAIRS = {
    "x86-64": "llvm.x86.sse2.pmadd.wd",
    "x86-64-v3": "llvm.x86.avx2.pmadd.wd",
    "x86-64-v4": "llvm.x86.avx512.pmaddw.d.512",
    "icelake-server": "llvm.x86.avx512.vpdpwssd.512",
    "aarch64": "integer arithmetic",
    "x86-64-v4-amx": "llvm.x86.tdpbssd",
}


@pytest.mark.parametrize(("name", "expected"), ADDING_PAIRS.items())
def test_products_of_integers(name: str, expected: str) -> None:
    products = instructions_of(processor(name)).products
    assert kind_of(ProductFacts(i8, i32, 64, 64, 64), products, exact=False).name == expected


@pytest.mark.parametrize("name", PROCESSORS)
def test_conversions_of_halves(name: str) -> None:
    target = processor(name)
    converts = f16 in instructions_of(target).conversions
    assert converts == (not target.triple.startswith("x86_64") or target.has("f16c"))


def test_formulas_of_a_feature_come_first() -> None:
    plain, wide = instructions_of(processor("x86-64-v3")), instructions_of(processor("x86-64-v4"))
    assert formula("exp", plain) is FUNCTIONS["exp"].formula
    assert formula("exp", wide) is avx512.exp
    assert formula("sin", wide) is FUNCTIONS["sin"].formula


def test_processors_have_features_of_the_table() -> None:
    """A row with a misspelt feature would never be used."""
    known = {feature.name for feature in FEATURES}
    assert known <= {word[1:] for target in PROCESSORS.values() for word in target.features.split(",")}


def test_words_decide_about_factors() -> None:
    products = instructions_of(processor("x86-64")).products
    assert kind_of(ProductFacts(i8, i32, 64, 2, 64), products, exact=False).name == "integer arithmetic"
    assert kind_of(ProductFacts(f16, f32, 64, 64, 64), products, exact=False).held is f32


def test_shared_rooms_know_no_target() -> None:
    wrong = [
        f"{path.name}: {module}"
        for path in python_files("src")
        if "targets/elements" in path.as_posix()
        for node, _ in import_statements(parsed(path))
        for module in [getattr(node, "module", None) or ""]
        if module.startswith("tilewright.targets.cpu")
    ]
    assert wrong == []
