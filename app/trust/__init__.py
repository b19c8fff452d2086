"""The Trust dashboard: numbers with noise, many trust levels, live collusion."""

from app.trust.dashboard import TrustDashboard

__all__ = ["TrustDashboard"]
