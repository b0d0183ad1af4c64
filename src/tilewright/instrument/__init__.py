"""Checks that become part of a program: what somebody wants to know about a run, as operations of Tile IR."""
