"""Scripts of the widgets, each alone on a blank page, against a model that only records."""

import pytest

from trustscope.widgets.esm import css, module

# A model as Panel gives it to a script: values as attributes, `on` and `off`, and messages to the server.
START = """
async ([text, values, styles, width]) => {
  class Model {
    constructor(values) { Object.assign(this, values); this.sent = []; this.listeners = {} }
    on(name, act) { (this.listeners[name] ??= []).push(act) }
    off(name, act) { this.listeners[name] = this.listeners[name].filter((one) => one !== act) }
    send_msg(data) { this.sent.push(data) }
    get_child(name) { const child = document.createElement("input"); child.name = name; return child }
    fire(name, data) { for (const act of [...(this.listeners[name] ?? [])]) act(data) }
    // The promise, which Playwright waits for, is kept when all that follows has been drawn.
    change(values) {
      Object.assign(this, values)
      for (const name of Object.keys(values)) this.fire(name)
      return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    }
    answer() { this.change({ack: this.sent.at(-1).n}) }
  }
  window.model?.fire("remove") // what an earlier test left
  window.model = new Model({ack: 0, ...values})
  window.script = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(text))
  document.body.replaceChildren()
  const place = document.createElement("div")
  place.style.width = width
  const style = document.createElement("style")
  style.textContent = styles.replaceAll(":host", "body > div")
  document.body.append(style, place)
  if (script.render) place.append(script.render({model: window.model, view: window.view}))
  // What learns its size from the browser is drawn again when it has one.
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
}
"""


def sent(page):
    """What the script sent, without the numbers of the messages."""
    return page.evaluate("model.sent.map(({n, ...data}) => data)")


@pytest.fixture(scope="module")
def blank(browser):
    context = browser.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto("about:blank")
    yield page
    context.close()


@pytest.fixture
def start(blank):
    """Loads scripts and renders them; `exports` are helpers that a test calls by itself."""
    complaints = []

    def complain(error):
        complaints.append(str(error))

    blank.on("pageerror", complain)

    def started(*names, exports=(), styles=(), width="600px", **values):
        text = module(*names) + (f"\nexport {{ {', '.join(exports)} }}" if exports else "")
        blank.evaluate(START, [text, values, "\n".join(css(name) for name in styles), width])
        return blank

    yield started
    blank.remove_listener("pageerror", complain)
    assert not complaints
