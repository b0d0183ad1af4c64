"""Code for operations on elements, for any number of lanes: conversions, rounding, arithmetic, elementary
functions.
"""
