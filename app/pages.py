"""The pages of the app by name; each is imported when it is first opened."""

from dataclasses import dataclass
from importlib import import_module

from trustscope.app.dashboard import Dashboard


@dataclass(frozen=True)
class Page:
    """One page: its name in addresses, its title in the bar, and where its dashboard is."""

    name: str
    title: str
    module: str
    dashboard: str

    def kind(self) -> type[Dashboard]:
        """The class of its dashboard."""
        return getattr(import_module(self.module), self.dashboard)


PAGES = {
    page.name: page
    for page in (
        Page("learn", "Learn", "trustscope.app.learn.dashboard", "LearnDashboard"),
        Page("trust", "Trust", "trustscope.app.trust.dashboard", "TrustDashboard"),
        Page("categories", "Categories", "trustscope.app.categories.dashboard", "CategoriesDashboard"),
        Page("rotation", "Rotation", "trustscope.app.rotation.dashboard", "RotationDashboard"),
        Page("survey", "Survey", "trustscope.app.survey.dashboard", "SurveyDashboard"),
        Page("papers", "Papers", "trustscope.app.papers.dashboard", "PapersDashboard"),
        Page("release", "Release", "trustscope.app.release.dashboard", "ReleaseDashboard"),
    )
}
