"""The explorer: one page that shows a kernel from its Python line to the machine.

`tilewright explore` collects the compiler's data about a kernel (`collect`), runs it under the checks (`run`), and
writes everything into one HTML file (`html`) that needs neither a network nor a GPU.  The data of a page is typed and
versioned (`schema`).
"""
