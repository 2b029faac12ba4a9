"""The commands: a module each, which is found by its place.

A module is a command by its NAME, its docstring, which is what ``--help`` says, and its functions
`add_options` and `run`, or has one by the name COMMAND, such as a `Study`.
"""
