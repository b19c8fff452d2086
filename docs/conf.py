"""The documentation site: `make docs` builds it, without a network, into build/docs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import made

import trustscope

project = "Trustscope"
author = "The authors of Trustscope"
copyright = "The authors of Trustscope, BSD-3-Clause"
version = release = trustscope.__version__

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx_design", "mathml"]
exclude_patterns = ["_ext", "upstream"]
html_theme = "pydata_sphinx_theme"
html_title = "Trustscope"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "show_toc_level": 2,
    "navbar_align": "left",
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_show_sourcelink = False
html_math_renderer = "mathml"
html_context = {"default_mode": "auto"}

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "auto"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
suppress_warnings = ["mystnb.unknown_mime_type"]  # of JupyterLab's own: the HTML beside it is shown

default_role = "code"  # single back-quotes in docstrings are names of code
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say shapes and units, which types do not
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
nitpicky = False

made.write()
