// The program after each pass, with a slider.

const dumps = page.passes.dumps;

/** The lines of the program after a pass: those of the last one that changed it. */
function linesAfter(pass) {
  for (let i = pass; i >= 0; --i) if (dumps[i].lines) return dumps[i].lines;
  return [];
}

function dumpRow({ sign, line, skipped }) {
  if (skipped) return element("div", { class: "row skipped" }, element("span", { class: "sign" }, "⋮"), element("span", { class: "text" }, `${skipped} unchanged`));
  const row = codeRow(page.passes.lines[line], "futhark", sign === "-" ? "−" : sign, "sign");
  row.classList.toggle("added", sign === "+");
  row.classList.toggle("removed", sign === "-");
  return row;
}

function showPass(number) {
  const pass = dumps[number];
  const box = document.getElementById("pass-text");
  document.getElementById("pass").value = number;
  document.getElementById("pass").setAttribute("aria-valuetext", pass.name);
  document.querySelectorAll("#pass-names li").forEach((item, i) => (i === number ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
  document.getElementById("pass-title").replaceChildren(element("b", {}, pass.name), ` — ${pass.describe}${pass.lines ? "" : " (changes nothing here)"}`);
  if (!pass.lines) return box.replaceChildren(element("p", { class: "unchanged" }, "The program stays as it was."));
  const lines = number === 0 ? pass.lines.map((line) => ({ sign: " ", line })) : difference(linesAfter(number - 1), pass.lines);
  const onlyChanges = number > 0 && document.getElementById("pass-changes").checked;
  box.replaceChildren(...(onlyChanges ? withoutFar(lines, 3) : lines).map(dumpRow));
  box.scrollTo(0, 0);
}

function startPasses() {
  const slider = document.getElementById("pass");
  slider.max = dumps.length - 1;
  document.getElementById("pass-names").replaceChildren(...dumps.map((dump, number) => {
    const button = element("button", { type: "button", title: dump.describe, tabindex: "-1" }, dump.name);
    button.addEventListener("click", () => showPass(number));
    return element("li", dump.lines ? { class: "changed" } : {}, button);
  }));
  slider.addEventListener("input", () => showPass(Number(slider.value)));
  document.getElementById("pass-changes").addEventListener("change", () => showPass(Number(slider.value)));
  const step = (by) => showPass(Math.min(Math.max(Number(slider.value) + by, 0), dumps.length - 1));
  document.getElementById("pass-before").addEventListener("click", () => step(-1));
  document.getElementById("pass-after").addEventListener("click", () => step(1));
  const derived = dumps.findIndex(({ name, lines }) => name === "ad" && lines);
  showPass(Math.max(derived, 0));
}
