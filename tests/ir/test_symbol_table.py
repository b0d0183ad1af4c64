"""Symbol tables: names, look-up, uses, renaming."""

from __future__ import annotations

import pytest

from tests.support.sample_dialect import CallOp, TableOp, function, nest, table, value
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr, SymbolRefAttr
from tilewright.ir.symbol_table import (
    SymbolTable,
    lookup_symbol,
    nearest_symbol_table,
    symbol_uses,
)


def call(root: str, *nested: str) -> CallOp:
    return CallOp(SymbolRefAttr(root, tuple(nested)), result_types=[])


def test_look_up() -> None:
    f, g = function("f"), function("g")
    symbols = SymbolTable(table(f, value(), g))
    assert symbols.lookup("g") is g
    assert symbols.lookup("h") is None
    assert dict(symbols) == {"f": f, "g": g}


def test_only_symbol_tables_have_one() -> None:
    with pytest.raises(ValueError, match=r"'sample.nest' is not a symbol table"):
        SymbolTable(nest([]))


def test_inserting_renames() -> None:
    holder = table(function("f"), function("f_0"))
    symbols = SymbolTable(holder)
    added = function("f")
    assert symbols.insert(added) == "f_1"
    assert added.sym_name == "f_1"
    assert symbols.lookup("f_1") is added
    assert holder.body.block.last is added
    with pytest.raises(ValueError, match="has no symbol name"):
        symbols.insert(value())


def test_inserting_what_is_there_changes_nothing() -> None:
    f = function("f")
    symbols = SymbolTable(table(f))
    assert symbols.insert(f) == "f"
    assert f.sym_name == "f"


def test_inserting_into_an_empty_region() -> None:
    holder = TableOp(result_types=[])
    added = function("f")
    SymbolTable(holder).insert(added)
    assert added.parent_op is holder


def test_erasing() -> None:
    f, g = function("f"), function("g")
    holder = table(f, g)
    symbols = SymbolTable(holder)
    symbols.erase(f)
    assert symbols.lookup("f") is None
    assert holder.body.block.ops == [g]


def test_look_up_goes_outwards() -> None:
    inner_call, outer_call = call("f"), call("g")
    f = function("f", [inner_call, outer_call])
    g = function("g")
    inner = table(f, name="inner")
    table(inner, g)
    assert lookup_symbol(inner_call, "f") is f
    assert lookup_symbol(outer_call, "g") is g
    assert lookup_symbol(outer_call, "h") is None
    assert nearest_symbol_table(inner_call) is inner


def test_nested_references() -> None:
    f = function("f")
    outer = table(table(f, name="inner"), function("g"))
    assert lookup_symbol(outer, SymbolRefAttr("inner", ("f",))) is f
    assert lookup_symbol(outer, SymbolRefAttr("inner", ("h",))) is None
    assert lookup_symbol(outer, SymbolRefAttr("g", ("f",))) is None
    assert nearest_symbol_table(value()) is None
    assert lookup_symbol(value(), "f") is None


def test_uses_are_found_anywhere_in_attributes() -> None:
    user = call("f", "g")
    user.attributes["more"] = ArrayAttr((SymbolRefAttr("h"), DictionaryAttr((("k", SymbolRefAttr("i")),))))
    root = table(function("x", [user]))
    assert [(op, reference.root) for op, reference in symbol_uses(root)] == [
        (user, "f"),
        (user, "h"),
        (user, "i"),
    ]
