"""Conversions of layouts: how elements are moved to other threads, where conversions can be avoided, and the
passes for both.
"""
