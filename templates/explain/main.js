// Puts the page together: what one points at, and what is held.

const panes = [];
let drawn = { things: [], index: new Index([]) };  // of the plan, once it is drawn
let held = null;

/** `how`: "point" marks what belongs to a row or step unless something is held, "hold" also keeps it until Escape or until it is held again. */
function pointAt(thing, how) {
  if (how === "point" && held) return;
  if (how === "hold") held = held === thing || thing.origins.length === 0 ? null : thing;
  show(held ?? thing);
}

function show(thing) {
  document.body.classList.toggle("held", held !== null);
  for (const pane of panes) pane.mark(thing?.origins ?? [], thing);
  const steps = thing ? drawn.index.of(thing.origins) : new Set();
  for (const step of drawn.things) step.element.classList.toggle("marked", steps.has(step) || step === thing);
  showLine(thing, held !== null);
}

function release() {
  held = null;
  show(null);
}

/** Light or dark: what the system has, until the button says otherwise. */
function startTheme() {
  const root = document.documentElement;
  const kept = (() => { try { return localStorage.getItem("boustro-theme"); } catch { return null; } })();
  if (kept) root.dataset.theme = kept;
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("boustro-theme", root.dataset.theme); } catch { /* a page without storage forgets it */ }
  });
}

/** What is below the fold, once the panes are there. */
function startRest() {
  drawn = startPlan(pointAt);
  startPasses();
  startProfile();
  showAllRules();
  document.documentElement.dataset.ready = "";
}

/** Paper has no triangles to click on. */
function startPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".cards details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

startTheme();
startPrint();
for (const description of page.panes) panes.push(new Pane(description, pointAt));
document.getElementById("panes").append(...panes.map((pane) => pane.element));
showLine(null, false);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") release();
});
requestAnimationFrame(() => setTimeout(startRest));
