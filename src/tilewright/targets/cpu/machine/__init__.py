"""The processor that code is made for, its instructions and their costs, and LLVM: assembly, objects, and a
separate process for untrusted text.
"""
