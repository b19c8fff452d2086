"""The worked examples (Xiao et al. 2009, Section 5.1)."""

import pandas as pd

from trustscope.engine.uniform import coin, joint_law, replacement

__all__ = ["examples"]

SIZE, ALICE, LOWER, HIGHER = 10, 0.4, 0.2, 0.8


def examples() -> pd.DataFrame:
    """Examples 1 and 2: a second copy below and above the first, for ten diseases, from the joint law.

    Returns
    -------
    DataFrame
        short, quantity, printed, exact.
    """
    below = joint_law([ALICE, LOWER], SIZE)
    (u, v), _ = coin(HIGHER, 1.0, ALICE, SIZE)
    rows = [
        ("Alice", "Alice receives the true value", 0.46, replacement(ALICE, SIZE)[0, 0]),
        ("Bob", "Example 1: Bob, at 20 %, receives the true value", 0.28, below[0, :, 0].sum() / below[0].sum()),
        ("u", "Example 2: take the value above", 0.8, u),
        ("v", "Example 2: take the value below", 0.178, v),
        ("kept", "Example 2: Bob's coin gives the common value", 0.978, u + v),
    ]
    return pd.DataFrame(rows, columns=["short", "quantity", "printed", "exact"])
