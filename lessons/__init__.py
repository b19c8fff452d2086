"""Lessons: files of steps over scenarios, their reader, and the check that holds every figure against the engine."""
