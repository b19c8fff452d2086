"""Attacks on a started server, each with its figures: `python -m tests.harden`, or `make harden`.

Each of them once froze the server, filled its memory or locked people out. All of it goes to this machine's own
address, is bounded in number and time, and ends by itself.
"""
