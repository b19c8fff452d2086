"""The Rotation dashboard."""

from app.rotation.dashboard import RotationDashboard

__all__ = ["RotationDashboard"]
