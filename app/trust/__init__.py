"""The Trust dashboard: numbers with noise, many trust levels, live collusion."""

from trustscope.app.trust.dashboard import TrustDashboard

__all__ = ["TrustDashboard"]
