"""Serving: the log, the processes, who may come in, what each visitor may use, and how it all ends."""
