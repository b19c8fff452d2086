"""How close a guess of a number must come to be a hit, where nobody has said it."""


def nice_step(sd: float) -> float:
    """A round step near a twentieth of a standard deviation: 1, 2 or 5 times a power of ten."""
    step = sd / 20
    if not step > 0:
        return 1.0
    power = 10.0 ** int(f"{step:e}".split("e")[1])
    return min((1, 2, 5, 10), key=lambda m: abs(m * power - step)) * power


def usual_distance(sd: float) -> float:
    """A round distance near a quarter of a standard deviation."""
    return 5 * nice_step(sd)
