"""Messages of a browser, where there is none."""


def deliver(control, message: dict) -> None:
    """Have a control take in a message as if its script had sent it; `n` is the number that the script gives it."""
    control._handle_msg(message)


def tell(control, message: dict) -> None:
    """Have a control take in what its script would say, without a number: nothing is answered."""
    control._receive(message)
