"""Attackers, one module a family."""
