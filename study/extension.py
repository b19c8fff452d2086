"""Getting a notebook ready: scripts come with it, so that plots and pages show without a network."""


def extension() -> None:
    """Get a notebook ready for plots and dashboards; call it once, in a cell of its own.

    All scripts and styles are put into the notebook, nothing is fetched. Studies themselves need it not: their verdict
    and pictures are plain HTML.
    """
    import holoviews as hv
    import panel as pn

    from trustscope.plots import backends

    backends.load()
    pn.extension(inline=True)
    hv.extension("bokeh", inline=True, logo=False)
