"""Arguments of cuTile kernels of kinds that few programs pass."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tilewright.cutile.errors import INSTALL_HINT, LaunchError, MissingPackageError
from tilewright.cutile.launcher import _argument_tuple, array_names
from tilewright.cutile.signature import _flatten


@dataclasses.dataclass
class Pair:
    """Two arrays and a number."""

    left: Any
    right: Any
    scale: float = 1.0


def test_arrays_in_arguments_are_named_by_their_place() -> None:
    array = np.zeros(4, np.float32)
    value = (Pair(array, [array, 3, array]), 5, array, Pair)
    assert list(array_names("x", value)) == ["x[0].left", "x[0].right[0]", "x[0].right[2]", "x[2]"]


def test_arguments_may_be_a_list() -> None:
    assert _argument_tuple([1, "a"]) == (1, "a")
    with pytest.raises(LaunchError, match="an object of type dict was given, and not a tuple"):
        _argument_tuple({})


def test_a_missing_package_is_named_with_the_way_to_get_it() -> None:
    error = MissingPackageError("cuda-tile", "it is too old")
    assert str(error) == f"the cuTile bridge needs the package cuda-tile: it is too old\nhint: {INSTALL_HINT}"
    assert error.package == "cuda-tile"


def constraint(kind: str, **fields: Any) -> Any:
    """Return a constraint of cuTile by the name of its class."""
    return type(kind, (SimpleNamespace,), {})(**fields)


def test_the_fields_of_an_argument_are_parameters_of_their_own() -> None:
    number = constraint("ScalarConstraint", dtype=SimpleNamespace(name="float32"))
    array = constraint(
        "ArrayConstraint",
        dtype=SimpleNamespace(name="float16"),
        index_dtype=SimpleNamespace(name="int32"),
        ndim=2,
    )
    some = constraint("TupleConstraint", items=[number, constraint("ConstantConstraint")])
    whole = constraint("DataclassConstraint", cls=Pair, fields=[array, some, number])
    found = [(one.argument, one.role, one.type, getattr(one, "axis", None)) for one in _flatten(whole, "x")]
    assert found[0][:3] == ("x.left", "address", "ptr<f16>")
    assert [row[0] for row in found] == ["x.left"] * 5 + ["x.right[0]", "x.scale"]
    assert [row[1] for row in found] == ["address", "length", "length", "stride", "stride", "value", "value"]
    assert [row[3] for row in found[1:5]] == [0, 1, 0, 1]
    listed = list(_flatten(constraint("ListConstraint"), "xs"))
    assert [(one.argument, one.role, one.type) for one in listed] == [
        ("xs", "table", "ptr<i64>"),
        ("xs", "count", "i32"),
    ]
    with pytest.raises(ValueError, match="parameter 'x': a OtherConstraint cannot be launched"):
        list(_flatten(constraint("OtherConstraint"), "x"))
