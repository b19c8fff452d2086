"""Trustscope as a desktop program: a window of its own, which ends the server when it is closed."""
