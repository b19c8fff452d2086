"""The line along which a table of heights takes one value, cell by cell (marching squares)."""

import numpy as np

# The sides of a square, as the corners that they join: bottom, right, top, left.
SIDES = ((0, 1), (1, 2), (3, 2), (0, 3))


def contour(values: np.ndarray, height: float) -> np.ndarray:
    """Straight pieces of the line at which heights are `height`.

    Parameters
    ----------
    values : array, (rows, columns)
        Heights at whole places; nan where they are not known.
    height : float

    Returns
    -------
    array, (pieces, 4)
        x and y of both ends of each, in columns and rows.
    """
    values = np.asarray(values, dtype=float)
    if min(values.shape, default=0) < 2:
        return np.zeros((0, 4))
    corners = np.stack([values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1]])
    rows, columns = np.indices(corners.shape[1:])
    offsets = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=float)
    above = corners >= height
    known = ~np.isnan(corners).any(axis=0)
    points, crossed = [], []
    for a, b in SIDES:
        rise = corners[b] - corners[a]
        # Where a side is level nothing crosses it, whatever stands here.
        part = np.divide(height - corners[a], rise, out=np.zeros_like(rise), where=rise != 0)
        place = offsets[a][:, None, None] + part * (offsets[b] - offsets[a])[:, None, None]
        points.append(np.stack([columns + place[0], rows + place[1]]))
        crossed.append((above[a] != above[b]) & known)
    spots, sides = np.stack(points), np.stack(crossed)
    number = sides.sum(axis=0)
    pieces = [_joined(spots, sides[a] & sides[b] & (number == 2), a, b) for a in range(4) for b in range(a + 1, 4)]
    # A saddle: the middle says which corners belong together.
    saddle = number == 4
    high = corners.mean(axis=0) >= height
    first = saddle & (high == above[0])
    for pairs, where in ((((0, 1), (2, 3)), first), (((0, 3), (1, 2)), saddle & ~first)):
        pieces += [_joined(spots, where, a, b) for a, b in pairs]
    return np.concatenate(pieces)


def _joined(points, where, a, b):
    return np.concatenate([points[a][:, where], points[b][:, where]]).T
