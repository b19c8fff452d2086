"""A supervisor whose processes end as soon as they are started."""

import sys

from trustscope.app.serving import log, ports, supervisor
from trustscope.app.serving.plan import Plan

if __name__ == "__main__":
    log.configure("info")
    plan = Plan.from_options(port=int(sys.argv[1]), processes=2)
    sys.executable = "/bin/false"
    raise SystemExit(supervisor.supervise(plan, ports.bind(plan.address, plan.port)))
