"""The Survey dashboard."""

from trustscope.app.survey.dashboard import SurveyDashboard

__all__ = ["SurveyDashboard"]
