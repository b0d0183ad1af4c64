"""Type ids: one per class or name, in two bands of addresses, for the life of the process."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.interfaces.type_id import Idiom, interned_type_id, known_type_ids, static_type_id


class First: ...


class Second: ...


def test_a_class_has_one_id() -> None:
    assert static_type_id(First) is static_type_id(First)
    assert static_type_id(First) is not static_type_id(Second)
    assert static_type_id(First).idiom is Idiom.STATIC_SENTINEL


def test_classes_of_one_name_are_told_apart() -> None:
    made = [type("Same", (), {}) for _ in range(2)]
    assert static_type_id(made[0]) is not static_type_id(made[1])


def test_a_name_has_one_id() -> None:
    made = interned_type_id("test.Interface")
    assert made is interned_type_id("test.Interface")
    assert made.name == "test.Interface"
    assert made.idiom is Idiom.INTERNED_NAME


def test_ids_of_one_way_are_counted() -> None:
    static_type_id(IntegerType), interned_type_id("test.counted")
    known = known_type_ids()
    for idiom in Idiom:
        numbers = [made.number for made in known if made.idiom is idiom]
        assert numbers == list(range(len(numbers)))


def test_threads_agree() -> None:
    names = [f"test.thread.{number}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: [id(interned_type_id(name)) for name in names], range(8)))
    assert all(ids == made[0] for ids in made)


def test_copies_keep_the_identity() -> None:
    made = interned_type_id("test.copied")
    assert copy.copy(made) is made
    assert copy.deepcopy([made])[0] is made
    assert pickle.loads(pickle.dumps(made)) is made
    fixed = static_type_id(First)
    assert copy.deepcopy(fixed) is fixed
    assert pickle.loads(pickle.dumps(fixed)) is fixed


def test_words() -> None:
    assert repr(interned_type_id("test.words")) == "<TypeId test.words (lazily interned name)>"
