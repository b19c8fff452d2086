"""A worker that does nothing but look whether to stop. It has a module of its own: a process that runs it imports
nothing else."""


def look(told, sender):
    """Look whether to stop, again and again."""
    for _ in range(100):
        told.poll()
    sender.send("begun")
    while True:
        told.poll()
