"""Layouts: which element is where, as CuTe's algebra of shapes and strides and as matrices of bits; knows no IR."""
