"""The Rotation dashboard."""

from trustscope.app.rotation.dashboard import RotationDashboard

__all__ = ["RotationDashboard"]
