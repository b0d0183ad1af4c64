"""How operations hold their attributes.

Most operations of a program have the attributes of many others: the defaults of their kind, or a constant that occurs
again.  Such operations share one dictionary (`SharedAttributes`) until a caller asks one of them for its
``attributes``, which may be changed: then it gets a dictionary of its own.  An entry of 200 bytes and an object for the
garbage collector to visit less make up for the copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.ir.attribute import Attribute


class SharedAttributes(dict[str, Attribute]):
    """Attributes that several operations share. They never change, and as a key compare by identity."""

    __slots__ = ()

    if not TYPE_CHECKING:
        __hash__ = object.__hash__


NO_ATTRIBUTES = SharedAttributes()
"""The empty dictionary that all operations without attributes share."""
