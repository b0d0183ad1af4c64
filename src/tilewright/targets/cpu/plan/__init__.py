"""Decides, before any code is emitted, what one loop nest computes, what lies in memory, and the order of
steps.
"""
