"""What the browser tests of all pages look for."""


def verdict(page):
    """The sentence that a person reads first."""
    return page.get_by_role("region", name="Verdict")


def figure(page, name):
    """The number of the verdict with this name."""
    return verdict(page).locator("div", has=page.locator("dt", has_text=name)).last.locator("dd")


def scheme(page, name):
    """Choose how the copies hang together."""
    page.get_by_role("radio", name=name, exact=True).check(force=True)
