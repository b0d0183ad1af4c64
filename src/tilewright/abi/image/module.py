"""Modules in memory images: write, read back."""

from __future__ import annotations

from tilewright.abi.image import reader as image_reader, tileiras_writer, uniquer as image_uniquer
from tilewright.abi.image.upstream_writer import UpstreamWriter
from tilewright.abi.image.writer import ImageWriter, MemoryImage
from tilewright.abi.layout import Profile
from tilewright.ir.context import Context
from tilewright.ir.operation import Operation

WRITERS: dict[Profile, type[ImageWriter]] = {
    Profile.TILEIRAS: tileiras_writer.TileirasWriter,
    Profile.UPSTREAM: UpstreamWriter,
}


def write_module(module: Operation, profile: Profile = Profile.TILEIRAS) -> MemoryImage:
    """Write an operation and everything in it to a new address space, whose root ``module`` is the address of
    the operation. In profile tileiras-13.1 the root ``context`` leads to the tables in which its types and
    attributes are found.
    """
    writer = WRITERS[profile]()
    roots = {"module": writer.write(module)}
    if profile is Profile.TILEIRAS:
        roots["context"] = image_uniquer.write_uniquer(writer)
    return MemoryImage(writer.image, profile, roots)


def read_module(image: MemoryImage, context: Context) -> Operation:
    """Read the module of an image back.  Raises `DiagnosticError` when the image is damaged."""
    return image_reader.ModuleReader(image, context).read(image.root)
