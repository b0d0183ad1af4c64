"""Walks the documents as a newcomer does: every command as printed there, in fresh environments.  `make newcomer` runs it.

    python -m tools.newcomer                                      # four walks
    python -m tools.newcomer --environment uv --source wheel      # one of them
    python -m tools.newcomer --page README.md                     # one page of each, behind the installation

A walk copies the files of the checkout, makes an environment (with `uv`, or with Python's `venv` and `pip`), installs
tilewright (from the wheel that it builds, or from the copy), and goes through the pages of `marks.PAGES`:

- commands of ``sh`` and ``console`` blocks run in a shell, one after the other, in the environment and folder that the
  commands before them left; what a ``console`` block prints must be printed, where ``...`` stands for anything;
- code "saved as **name.py**" is saved, and the Python blocks of a page run, with their outputs;
- cells of notebooks run in IPython;
- each page that `tilewright explore` writes is opened in a headless Chromium, at the widths of `browsing.WIDTHS`.

A command with ``# or: uv ...`` behind it is replaced by what follows in the environment of `uv`.  What else differs from
page to page is data: `marks.py` says, with reasons, which commands are left out, end with another status, or need files
that a reader has.

Each command has a line of the report (``ok``, ``differs`` or ``skipped``, with seconds), each that differs its output.
The exit status is 1 if something differs.  A walk takes some minutes and the network, or package caches.
"""
