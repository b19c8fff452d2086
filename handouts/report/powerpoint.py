"""The same deck for PowerPoint: texts that can be edited, charts of PowerPoint's own where they fit, speaker notes."""

import io
from collections.abc import Sequence

import pandas as pd
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_LEGEND_POSITION
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Emu, Inches, Pt

from trustscope import plots
from trustscope.datasets import Dataset
from trustscope.handouts.report.deck import LARGER, parts_of
from trustscope.handouts.report.drawing import Drawn
from trustscope.handouts.report.part import WORKED
from trustscope.handouts.report.story import Slide, story
from trustscope.looks import looks_of, row_names
from trustscope.numbers import unbroken
from trustscope.scenarios.scenario import Scenario
from trustscope.scenarios.whole import Cancel, Progress, stop

WIDTH, HEIGHT = 13.333, 7.5  # inches: 1280 by 720 pixels
SMALL, PLAIN, TITLE, NUMBER = 14, 22, 30, 40  # points; 13.5 points are 18 pixels
EDGE = 0.6  # inches
INDENT = Inches(0.3)  # of a list
FONT = "Arial"  # everybody has it, or one of the same widths
TITLED = 5  # the layout of the template with a title alone: outlines and readers of the screen name slides by it
BARS = "charts.bars"
MOST_BARS = 12  # rows of a chart of PowerPoint's own: more of them have no room for their values
QUIET = RGBColor(0x2D, 0x37, 0x48)


def powerpoint(
    scenarios: Scenario | Sequence[Scenario], progress: Progress | None = None, cancel: Cancel | None = None,
    own: Dataset | None = None,
) -> bytes:  # fmt: skip
    """The deck as a file of PowerPoint; arguments and errors are those of `slides`."""
    told = progress or (lambda fraction, text: None)
    every = story(parts_of(scenarios, told, cancel, own))
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(WIDTH), Inches(HEIGHT)
    deck.core_properties.title, deck.core_properties.author = every[0].title, "Trustscope"
    for number, slide in enumerate(every, start=1):
        stop(cancel)
        told(WORKED + (1 - WORKED) * number / len(every), f"Drawing slide {number}")
        _add(deck.slides.add_slide(deck.slide_layouts[TITLED]), slide, f"{number} of {len(every)}")
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def _add(page, slide: Slide, place: str) -> None:
    if slide.kind == "title":
        # Both stand on one line, one above and one below it: a long title grows upwards, away from what follows.
        _title(page, slide.title, (EDGE, 0.6, WIDTH - 2 * EDGE, 3.4), 44, MSO_ANCHOR.BOTTOM)
        _text(page, slide.texts, (EDGE, 4.1, WIDTH - 2 * EDGE, 1.4), PLAIN)
    elif slide.kind == "scenario":
        _title(page, slide.title, (EDGE, 0.4, 7.3, 1.6), TITLE)
        arrow = " → ".join(filter(None, (slide.before, slide.after)))
        _text(page, [arrow] if arrow else [], (8.2, 0.35, WIDTH - 8.2 - 0.3, 0.85), NUMBER, bold=True)
        _text(page, [slide.label], (8.2, 1.2, WIDTH - 8.2 - EDGE, 0.85), 16)
        wide = (WIDTH - 2 * EDGE - 0.3) / max(len(slide.pictures), 1)
        for number, picture in enumerate(slide.pictures):
            _picture(page, picture, (EDGE + number * (wide + 0.3), 2.15, wide - 0.15, 4.75))
    else:
        asked = slide.kind == "question"
        top = 3.6 if asked else 1.3  # where the title ends
        anchor = MSO_ANCHOR.BOTTOM if asked else MSO_ANCHOR.TOP
        _title(page, slide.title, (EDGE, 0.4, WIDTH - 2 * EDGE, top - 0.4), TITLE, anchor)
        half = WIDTH / 2 - EDGE if slide.bars is not None else WIDTH - 2 * EDGE
        _text(
            page,
            slide.texts,
            (EDGE, top + 0.1, half, 6.6 - top),
            PLAIN,
            bullets=slide.kind in ("advice", "assumed"),
        )
        if slide.bars is not None:
            _chart(page, slide.bars, (WIDTH / 2 + 0.2, 1.7, WIDTH / 2 - EDGE - 0.2, 5.1), slide.bars.attrs["label"])
    _text(page, [place], (WIDTH - 2.2, 6.95, 1.6, 0.4), SMALL)
    page.notes_slide.notes_text_frame.text = "\n".join(filter(None, slide.notes))


def _title(page, text: str, at, size: float, anchor=MSO_ANCHOR.TOP) -> None:
    box = page.shapes.title
    box.left, box.top, box.width, box.height = map(Inches, at)
    box.text_frame.vertical_anchor = anchor
    _write(box.text_frame, [text], size, bold=True)


def _text(page, texts, at, size: float, *, bold: bool = False, bullets: bool = False) -> None:
    if texts:
        _write(page.shapes.add_textbox(*map(Inches, at)).text_frame, texts, size, bold=bold, bullets=bullets)


def _write(frame, texts, size: float, *, bold: bool, bullets: bool = False) -> None:
    frame.word_wrap = True
    for number, text in enumerate(texts):
        line = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        line.text, line.alignment = unbroken(text), PP_ALIGN.LEFT
        if bullets:
            _bullet(line)
        line.font.name, line.font.size, line.font.bold, line.space_after = FONT, Pt(size), bold, Pt(size / 3)


def _bullet(line) -> None:
    """A dot of PowerPoint's own before the first line, the others behind it."""
    properties = line._p.get_or_add_pPr()
    properties.set("marL", str(INDENT))
    properties.set("indent", str(-INDENT))
    properties.append(properties.makeelement(qn("a:buChar"), {"char": "•"}))


def _picture(page, drawn: Drawn, at) -> None:
    left, top, wide, tall = at
    _text(page, [drawn.title], (left, top, wide, 0.45), 16, bold=True)
    below = (left, top + 0.45, wide, tall - 0.45)
    looks = looks_of(drawn.table)
    native = drawn.card.plot == BARS and all(look.mark == "block" for look in looks.series.values())
    if native and len(drawn.table) <= MOST_BARS:
        _chart(page, drawn.table, below, f"{drawn.title}: {drawn.caption}")
    else:
        _drawing(page, drawn, below)


def _drawing(page, drawn: Drawn, at) -> None:
    """A picture, as large as fits."""
    from trustscope.plots import draw

    image = draw.png(plots.plot(drawn.card.plot, drawn.table), larger=LARGER)
    left, top, wide, tall = map(Inches, at)
    made = page.shapes.add_picture(io.BytesIO(image), left, top)
    scale = min(wide / made.width, tall / made.height)
    made.width, made.height = Emu(int(made.width * scale)), Emu(int(made.height * scale))
    made.left = left + Emu(int((wide - made.width) / 2))
    _describe(made, f"{drawn.title}: {drawn.caption}")


def _describe(shape, told: str) -> None:
    """What it shows, for those who do not see it."""
    shape._element._nvXxPr.cNvPr.set("descr", told)


def _chart(page, table: pd.DataFrame, at, told: str) -> None:
    """Bars of PowerPoint's own with their values, the first row on top; `told` is for those who do not see them."""
    looks = looks_of(table)
    form = "0 %" if looks.x.share else "General"
    data = CategoryChartData(number_format=form)
    data.categories = row_names(table)
    named = list(looks.named())
    for column, name, _ in named:
        data.add_series(name, [None if pd.isna(value) else float(value) for value in table[column]])
    made = page.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, *map(Inches, at), data)
    _describe(made, told)
    chart = made.chart
    chart.font.name, chart.font.size, chart.font.color.rgb = FONT, Pt(SMALL), QUIET
    chart.has_title = False
    chart.has_legend = True
    chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    chart.category_axis.reverse_order = True  # PowerPoint begins at the bottom
    axis = chart.value_axis
    axis.minimum_scale, axis.maximum_scale = 0, looks.x.high
    axis.has_title, axis.has_major_gridlines, axis.visible = False, False, False
    plot = chart.plots[0]
    plot.gap_width, plot.overlap, plot.has_data_labels = 40, 0, True
    labels = plot.data_labels
    labels.number_format, labels.number_format_is_linked = form, False
    labels.font.size, labels.position, labels.show_value = Pt(SMALL), XL_LABEL_POSITION.OUTSIDE_END, True
    for series, (_, _, look) in zip(plot.series, named, strict=True):
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = RGBColor.from_string(look.colour.lstrip("#").upper())
