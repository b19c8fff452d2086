// Keys and clicker buttons walk from slide to slide; f fills the screen, n opens and folds the speaker notes.
const slides = [...document.querySelectorAll(".slide")];
const still = matchMedia("(prefers-reduced-motion: reduce)");
const here = () => slides.reduce((best, one, i) => Math.abs(one.getBoundingClientRect().top) < Math.abs(slides[best].getBoundingClientRect().top) ? i : best, 0);
const go = (place) => {
  const slide = slides[Math.min(Math.max(place, 0), slides.length - 1)];
  slide.scrollIntoView({behavior: still.matches ? "auto" : "smooth"});
  slide.focus({preventScroll: true});
};
const steps = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -Infinity, End: Infinity};
addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "f") document.documentElement.requestFullscreen?.().catch(() => {});
  if (e.key === "n") {
    const notes = [...document.querySelectorAll("details.notes")], open = !notes[0].open;
    for (const one of notes) one.open = open;
  }
  if (!(e.key in steps)) return;
  e.preventDefault();
  go(here() + steps[e.key]);
});
