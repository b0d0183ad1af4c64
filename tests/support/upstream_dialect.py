"""The tests that every dialect of MLIR has: a subclass says which dialect it is, and where MLIR declares it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support import upstream
from tests.support.mlir_tools import first_errors
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.ir.context import Context
from tilewright.ir.dialect import Dialect

FOLDER = Path(__file__).parents[1] / "dialects"


class UpstreamDialect:
    """Tests of a dialect, with the files ``instances.mlir`` and ``broken.mlir`` of the folder that is named like it."""

    dialect: ClassVar[Dialect] = BUILTIN
    beside: ClassVar[tuple[Dialect, ...]] = ()
    """Dialects that its instances use."""
    sources: ClassVar[tuple[str, ...]] = ()
    """The files of MLIR that declare it."""
    hand_written: ClassVar[Collection[str]] = ()
    """Operations whose syntax MLIR has code for."""
    different: ClassVar[Collection[str]] = ()
    """Operations that MLIR declares with constraints it describes by no words, or half a sentence."""
    loaded: ClassVar[Context]
    instances: ClassVar[list[str]]
    broken: ClassVar[list[tuple[str, str]]]

    def __init_subclass__(cls) -> None:
        folder = FOLDER / cls.dialect.name
        cls.loaded = upstream.context(*cls.beside, cls.dialect)
        cls.instances = upstream.instances(folder / "instances.mlir")
        cls.broken = upstream.broken(folder / "broken.mlir")

    def test_every_operation_has_an_instance(self) -> None:
        assert upstream.missing_instances(self.dialect, self.instances) == set()

    def test_instances_round_trip(self) -> None:
        for text in self.instances:
            upstream.round_trip(text, self.loaded)

    def test_mlir_opt_agrees_on_all_instances(self) -> None:
        upstream.check_agreement(self.instances, self.loaded)

    def test_every_single_broken_constraint_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        upstream.check_breakages(self.dialect, self.instances, monkeypatch)

    def test_broken_modules_are_refused(self) -> None:
        upstream.check_refusals(self.broken, self.loaded)

    def test_mlir_opt_refuses_broken_modules_in_the_same_words(self) -> None:
        said = first_errors(tuple(text for text, _ in self.broken))
        assert said == [message for _, message in self.broken]

    def test_declarations_are_those_of_mlir(self) -> None:
        for source in self.sources:
            upstream.check_declarations(self.dialect, source, different=self.different)

    def test_hand_written_syntax_is_listed(self) -> None:
        custom: set[str] = set()
        for source in self.sources:
            records = upstream.reference_operations(source, self.dialect.name)
            custom |= {name for name, record in records.items() if record["hasCustomAssemblyFormat"]}
        ours = {kind.name for kind in upstream.all_kinds(self.dialect)}
        assert set(self.hand_written) == custom & ours
