"""Units that stand in the names of columns: "Income (USD)", "weight [kg]", "height_cm"."""

import re

_WORDS = (
    *("years", "months", "weeks", "days", "hours", "minutes", "seconds", "dollars", "euros", "pounds", "francs"),
    *("percent", "degrees", "litres", "metres", "miles", "grams", "kilograms"),
)
_SYMBOLS = (
    *("USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "CAD", "AUD", "PLN", "CZK"),
    *("mm", "cm", "km", "kg", "mg", "ml", "kWh", "kW", "MW", "Hz", "kHz", "MHz", "hPa", "kPa", "mmHg"),
    *("m²", "m2", "km²", "km2", "m³", "m3", "km/h", "m/s", "mg/dl", "mg/dL", "mmol/l", "mmol/L", "µm", "°C", "°F"),
)
# Alone these are too short to mean a unit; between brackets they do.
_BRACKETED = (
    "m",
    "s",
    "ms",
    "min",
    "g",
    "h",
    "l",
    "t",
    "K",
    "W",
    "V",
    "A",
    "N",
    "J",
    "%",
    "$",
    "€",
    "£",
    "¥",
    "k$",
    "k€",
)
_AFTER_MARK = {unit.lower(): unit for unit in (*_WORDS, *_SYMBOLS)}
_IN_BRACKETS = {**_AFTER_MARK, **{unit: unit for unit in _BRACKETED}}
_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,12})[)\]]$")


def unit_in(name: str) -> str:
    """Read the unit from the name of a column; empty unless there is no doubt.

    It stands in brackets at the end, or is a longer abbreviation after an underscore.

    >>> unit_in("Income (USD)"), unit_in("height_cm"), unit_in("Team (red)"), unit_in("item_m")
    ('USD', 'cm', '', '')
    """
    name = name.strip()[-40:]
    match = _BRACKETS.search(name)
    if match:
        inside = match[1].strip()
        return _IN_BRACKETS.get(inside) or _AFTER_MARK.get(inside.lower(), "")
    before, mark, last = name.rpartition("_")
    return _AFTER_MARK.get(last.lower(), "") if mark and before else ""
