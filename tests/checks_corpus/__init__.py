"""Pairs of kernels, one with a mistake that a check finds and one without it: what checks detect, and false alarms."""
