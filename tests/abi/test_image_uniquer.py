"""The uniquer's tables in images."""

from __future__ import annotations

import random

from tests.abi.damage import flip_bits, only_diagnostics
from tests.abi.test_image_module import CONTEXT, sample
from tilewright.abi.image.core_file import core_bytes, image_of_core
from tilewright.abi.image.module import write_module
from tilewright.abi.image.segments import read_field
from tilewright.abi.image.tileiras_writer import TileirasWriter
from tilewright.abi.image.uniquer import UniquerTables, stored_text, write_uniquer
from tilewright.abi.image.writer import MemoryImage
from tilewright.abi.layout import Profile
from tilewright.abi.layouts import uniquer as layouts
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation


def written(module: Operation) -> tuple[TileirasWriter, MemoryImage]:
    writer = TileirasWriter()
    roots = {"module": writer.write(module)}
    roots["context"] = write_uniquer(writer)
    return writer, MemoryImage(writer.image, Profile.TILEIRAS, roots)


def test_every_instance_is_found_where_operations_point() -> None:
    writer, image = written(sample())
    tables = UniquerTables(image)
    assert len(writer.stored) > 10
    for value, storage in writer.stored.items():
        is_type = isinstance(value, Type)
        allocator = tables.allocator(writer.class_id(type(value)), types=is_type)
        assert allocator is not None
        assert tables.instance(allocator, str(value).encode()) == storage
        assert tables.instance(allocator, b"nothing of the kind") is None
        assert tables.allocator(writer.class_id(type(value)), types=not is_type) is None
        assert stored_text(image.image, storage) == str(value).encode()


def test_classes_that_are_not_there() -> None:
    _, image = written(sample())
    assert UniquerTables(image).allocator(0x10, types=True) is None


def test_tables_grow() -> None:
    kind = CONTEXT.unregistered_kind("a.numbers")
    numbers = {f"n{n}": IntegerAttr(i32, n) for n in range(200)}
    writer, image = written(Operation.from_parts(kind, attributes=dict(numbers)))
    tables = UniquerTables(image)
    allocator = tables.allocator(writer.class_id(IntegerAttr), types=False)
    assert allocator is not None
    held = layouts.STORAGE_ALLOCATOR.decode(image.image.read(allocator, layouts.STORAGE_ALLOCATOR.size))
    assert (held["live"], held["bucket_count"], held["resize_threshold"]) == (200, 512, 384)
    for attribute in numbers.values():
        assert tables.instance(allocator, str(attribute).encode()) == writer.stored[attribute]


def test_instances_as_the_uniquer_makes_them() -> None:
    writer, image = written(sample())
    for storage in writer.stored.values():
        fields = {
            n: read_field(image.image, layouts.BASE_STORAGE, storage, n) for n in ("strong", "weak", "flags")
        }
        assert fields == {"strong": 1, "weak": 1, "flags": 1}


def test_through_a_core_file() -> None:
    image = image_of_core(core_bytes(write_module(sample())))
    writer, _ = written(sample())
    tables = UniquerTables(image)
    allocator = tables.allocator(writer.class_id(type(i32)), types=True)
    assert allocator is not None
    assert tables.instance(allocator, b"i32") is not None


def test_damage() -> None:
    writer, _ = written(sample())
    class_id = writer.class_id(type(i32))
    for seed in range(200):
        image = write_module(sample())
        flip_bits(image.image, random.Random(seed), 4)
        with only_diagnostics():
            tables = UniquerTables(image)
            allocator = tables.allocator(class_id, types=True)
            if allocator:
                tables.instance(allocator, b"i32")
