"""`panel serve app` starts here."""

import os

from trustscope.app.page import make_page
from trustscope.app.process import prepare

prepare()
make_page(os.environ.get("TRUSTSCOPE_DATASET")).servable()
