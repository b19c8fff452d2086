"""What a page shows of a scenario, worked out as the page does: previews aside, the last of its passes."""

from importlib import import_module

from trustscope.scenarios.whole import last


def shown_on_page(study) -> dict[str, str]:
    """Headline, number and note of a study's scenario on its page, from a model that remembers nothing."""
    page, scenario = study.page, study.scenario
    rooms = f"trustscope.scenarios.{page}"
    loading = import_module(f"{rooms}.loading")
    model = loading.load(loading.fetch(scenario, study._source.own), scenario)
    picture = last(model.stream(model.fit_to_data(scenario)))
    about = getattr(model, "noun", "")
    if page == "trust":
        about = import_module(f"{rooms}.words").subject_of(model.population, picture.settings.attribute)
    said = import_module(f"{rooms}.verdict").headline(picture, about)
    return {"verdict": said.title, "before": said.before, "after": said.after, "label": said.label, "note": said.note}
