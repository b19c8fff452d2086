"""The Survey dashboard."""

from app.survey.dashboard import SurveyDashboard

__all__ = ["SurveyDashboard"]
