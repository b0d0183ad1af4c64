"""Analysis of text in memory: strings, pools of strings, names of classes."""
