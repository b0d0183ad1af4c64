"""The processor that code is made for, and LLVM: features, assembly, objects, and a separate process for
untrusted text.
"""
