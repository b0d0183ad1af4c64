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
    """Write an operation and everything in it to a new address space, and return the image, whose root
    ``module`` is the address of the operation. In profile tileiras-13.1 the root ``context`` leads to the
    tables in which its types and attributes are found. Raises `DiagnosticError` for a number that does not
    fit its field, and for a value or block that is outside of the operation.
    """
    writer = WRITERS[profile]()
    roots = {"module": writer.write(module)}
    if profile is Profile.TILEIRAS:
        roots["context"] = image_uniquer.write_uniquer(writer)
    return MemoryImage(writer.image, profile, roots)


def read_module(image: MemoryImage, context: Context) -> Operation:
    """Return the operation in an image that `write_module` made, with everything in it, as live IR of
    ``context``. Raises `DiagnosticError` if the image is damaged, or holds an unregistered operation that the
    context does not allow.
    """
    return image_reader.ModuleReader(image, context).read(image.root)
