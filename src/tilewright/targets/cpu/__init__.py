"""The CPU back end: from functions of tiles to machine code of this machine or another one."""
