"""What text in memory tells: strings, pools of strings, names of classes."""
