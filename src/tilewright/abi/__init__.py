"""Byte layouts, each declared once; hash tables, pools and memory images made from them."""
