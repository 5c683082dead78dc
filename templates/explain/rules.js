// Cards of rules, and the part that shows those of a line.

const ruleByName = new Map(page.rules.flatMap((rule) => rule.names.map((name) => [name, rule])));

/** Rules of passes that are none of differentiation, by the pass that says what they do. */
const passOfRule = { contraction: "contract", triangle: "triangles" };

function describedPass(rule) {
  return page.passes.dumps.find(({ name }) => name === passOfRule[rule]);
}

function entry(term, html) {
  return html ? element("div", {}, element("dt", {}, term), element("dd", { html })) : null;
}

function textOf(text) {
  return element("p", {}, text).outerHTML;
}

function example(rule) {
  if (!rule.before) return null;
  const code = (text) => element("pre", {}, ...text.split("\n").flatMap((line) => [...coloured(line, "futhark"), "\n"]));
  return element("details", {}, element("summary", {}, "Example"),
    element("p", { class: "caption" }, "Before"), code(rule.before),
    rule.after ? element("p", { class: "caption" }, `After ${rule.after_what}`) : null, rule.after ? code(rule.after) : null);
}

function capitalised(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function ruleCard(rule) {
  return element("article", { class: "card", "data-rule": rule.names[0] },
    element("h3", {}, rule.file ? `${rule.mode}: ${rule.title}` : rule.title),
    element("p", { class: "names" }, rule.names.join(", ") + (rule.file ? `  ·  transform/ad/${rule.file}` : "")),
    element("div", { class: "formula", html: rule.formula }),
    element("dl", {}, entry("Applies", rule.applies), entry("Cost", rule.cost), entry("Source", rule.source ? textOf(rule.source) : "")),
    example(rule));
}

function passCard(rule) {
  const pass = describedPass(rule);
  return element("article", { class: "card", "data-rule": rule },
    element("h3", {}, capitalised(rule)), element("p", { class: "names" }, `no rule of differentiation${pass ? `: the pass ${pass.name}` : ""}`),
    pass ? element("p", {}, capitalised(pass.describe) + ".") : null);
}

/** Names of the rules of some origins, each once. */
function rulesOf(numbers) {
  return [...new Set(numbers.map((number) => origins[number].rule).filter((rule) => rule))];
}

function cardsOf(names) {
  const rules = new Set(names.map((name) => ruleByName.get(name) ?? name));
  return [...rules].map((rule) => (typeof rule === "string" ? passCard(rule) : ruleCard(rule)));
}

/** `kmeans.fut:5, 9` */
function placesOf(numbers) {
  const lines = new Map();
  for (const number of numbers) {
    const [, file, line] = /^(.*):(\d+)$/.exec(origins[number].place) ?? [];
    if (file) add(lines, file, Number(line));
  }
  return [...lines].map(([file, found]) => `${file}:${[...found].sort((a, b) => a - b).join(", ")}`).join("; ");
}

const hint = "Point at a line, or go to it with the arrow keys: what belongs to it in the other panes is marked, and the rules that made it stand here. " +
  "A click, or Enter, holds it; Escape lets go.";

function showLine(thing, held) {
  const box = document.getElementById("line");
  if (!thing || thing.origins.length === 0) {
    box.replaceChildren(element("p", { class: "hint" }, hint));
    return;
  }
  const names = rulesOf(thing.origins);
  const how = names.length === 0 ? "spelled out in the source" : `made by ${names.join(", ")}`;
  const letGo = held ? element("button", { type: "button", title: "Escape" }, "let go") : null;
  letGo?.addEventListener("click", release);
  box.replaceChildren(
    element("p", { class: "where" }, `${placesOf(thing.origins)} · ${how}`, letGo),
    element("div", { class: "cards" }, ...cardsOf(names)));
  for (const details of box.querySelectorAll("details")) details.open = names.length <= 3;
}

function showAllRules() {
  const others = [...new Set(origins.map(({ rule }) => rule))].filter((rule) => rule && !ruleByName.has(rule));
  const count = page.rules.length + others.length;
  document.getElementById("rules-lead").textContent = count === 0
    ? "No rule of differentiation made anything of this program."
    : `The rules that made this derivative, as their files in the compiler state them: an example of each runs as a test. x̄ is the adjoint of x, ẋ its tangent, and += adds to an adjoint.`;
  document.getElementById("rule-cards").replaceChildren(...page.rules.map(ruleCard), ...others.map(passCard));
}
