// The plan as a picture: steps from top to bottom in the order in which they run, and a line for each array from where it is made to where it
// is last read. A filled dot writes, a ring reads.

const isNarrow = innerWidth < 700;
const plan = { width: isNarrow ? 250 : 452, portWidth: isNarrow ? 225 : 258, lineHeight: 16, gap: 12, laneWidth: 17, indent: 14, margin: 14, letter: 7.05 };

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Lines of at most so many letters, broken at spaces. */
function wrapped(text, letters) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && line.length + 1 + word.length > letters) lines.push(line), (line = "    " + word);
    else line += (line ? " " : "") + word;
  }
  return [...lines, line];
}

const words = { kernel: "kernel", library: "library call", fill: "fill", copy: "copy", wait: "wait", nest: "loops", inputs: "from the caller", results: "to the caller" };
const writes = (access) => access !== "read";

/** Steps in a row, with what is around them: {step, depth} and {title, depth}. */
function inOrder(steps, depth = 0) {
  return steps.flatMap((step) => (step.steps ? [{ title: step.title, depth, size: 0 }, ...inOrder(step.steps, depth + 1)] : [{ step, depth }]));
}

/** Text of a step's box: [{text, class}, ..]. */
function textOfStep(step, letters) {
  const lines = (texts, name) => texts.filter((text) => text).flatMap((text) => wrapped(text, letters).map((line) => ({ text: line, class: name })));
  return [
    { text: step.name, class: "step-name" },
    ...lines([step.extents ?? ""], "soft"),
    ...lines((step.formula ?? []).slice(0, 2), ""),
    ...lines([step.when ? `when ${step.when}` : "", ...(step.notes ?? [])], "faint"),
  ];
}

/** Where everything stands: boxes with {x, y, width, height, lines, ports: [{array, access, y, lines}]}. */
function layOut(entry) {
  const role = (name) => entry.arrays.filter((array) => array.role === name).map((array) => array.name);
  const ends = (kind, name, access) => ({ step: { kind, name, origins: [], ports: role(kind === "inputs" ? "input" : "output").map((array) => ({ array, access })) }, depth: 0 });
  const items = [ends("inputs", "parameters", "written"), ...inOrder(entry.steps), ends("results", "results", "read")];
  const arrays = new Map(entry.arrays.map((array) => [array.name, array]));
  let y = plan.margin;
  for (const item of items) {
    const x = plan.margin + item.depth * plan.indent;
    if (item.title) {
      const lines = wrapped(item.title, 88);
      Object.assign(item, { x, y, lines, height: lines.length * plan.lineHeight + 6 });
    } else {
      const width = plan.width + plan.portWidth - item.depth * plan.indent;
      const lines = textOfStep(item.step, Math.floor((plan.width - item.depth * plan.indent - 40) / plan.letter));
      let portY = y + 20;
      const ports = (item.step.ports ?? []).map(({ array, access }) => {
        const known = arrays.get(array);
        const about = known && writes(access) && access !== "scratch" ? `${known.type} ${known.shape}`.trim() + `, ${known.bytes} bytes` : "";
        const port = { array, access, y: portY, about: about ? wrapped(about, 32) : [] };
        portY += plan.lineHeight * (1 + port.about.length) + 2;
        return port;
      });
      const height = Math.max(lines.length * plan.lineHeight + 16, portY - y - 4);
      Object.assign(item, { x, y, width, height, lines, ports });
    }
    y += item.height + plan.gap;
  }
  return { items, height: y + plan.margin - plan.gap };
}

/** A lane for each array, from its first port to its last; lanes that ended are used again. */
function lanesOf(items) {
  const spans = new Map();
  for (const { ports = [] } of items)
    for (const port of ports) {
      const span = spans.get(port.array) ?? { array: port.array, begin: port.y, end: port.y };
      span.end = port.y;
      spans.set(port.array, span);
    }
  const ends = [];
  for (const span of [...spans.values()].sort((a, b) => a.begin - b.begin)) {
    let lane = ends.findIndex((end) => end + plan.lineHeight < span.begin);
    if (lane < 0) lane = ends.length;
    ends[lane] = span.end;
    span.lane = lane;
  }
  return { spans, count: ends.length };
}

function textLines(lines, x, y) {
  return lines.map((line, i) => svg("text", { x, y: y + i * plan.lineHeight, class: line.class, "xml:space": "preserve" }, line.text));
}

function portTexts(port, x) {
  const sign = port.access === "read" ? "◂" : port.access === "written" ? "▸" : port.access === "scratch" ? "▫" : "▸+";
  const name = `${sign} ${port.array}`;
  return [svg("text", { x, y: port.y + 4, class: port.access === "read" ? "soft" : "" }, name),
    ...port.about.map((line, i) => svg("text", { x: x + 14, y: port.y + 4 + (i + 1) * plan.lineHeight, class: "faint" }, line.trim()))];
}

/** The row of the profile about a step, if it was run and took time. */
function profiled(step) {
  const row = page.profile?.rows.find(({ name, work }) => work === step.kind && name.replace(/<.*/, "") === step.name);
  return row?.seconds ? row : null;
}

/** The share of the whole time, as a bar along the lower edge of the box. */
function timeOf(item) {
  const row = profiled(item.step);
  if (!row) return [];
  const total = page.profile.total?.seconds ?? row.seconds;
  return [svg("rect", { class: "time", x: item.x, y: item.y + item.height - 3, width: Math.max(2, (item.width * row.seconds) / total), height: 3 })];
}

function drawStep(item) {
  const { step } = item;
  const badge = svg("text", { x: item.x + 12, y: item.y + 18, class: "step-name" }, step.name);
  const row = profiled(step);
  const about = [words[step.kind] ?? step.kind, row ? inSeconds(row.seconds) : "", row?.bound].filter((text) => text);
  badge.append(svg("tspan", { class: "faint sans", dx: 9, "font-weight": "400" }, about.join(", ")));
  const title = [step.name, words[step.kind], step.extents, (step.ports ?? []).map(({ array, access }) => `${array} ${access}`).join(", ")].filter((text) => text).join("; ");
  return svg("g", { class: `step kind-${step.kind}`, tabindex: "-1", role: "button", "aria-label": title },
    svg("rect", { class: "box", x: item.x, y: item.y, width: item.width, height: item.height, rx: 5 }),
    badge, ...textLines(item.lines.slice(1), item.x + 12, item.y + 18 + plan.lineHeight),
    ...item.ports.flatMap((port) => portTexts(port, plan.margin + plan.width + 4)), ...timeOf(item));
}

function drawGroup(item) {
  return svg("g", {}, ...item.lines.map((line, i) => svg("text", { x: item.x, y: item.y + 14 + i * plan.lineHeight, class: "soft" }, line.trim())));
}

/** The line of an array with its dots and the wires that lead to boxes. */
function drawArray(span, items) {
  const right = plan.margin + plan.width + plan.portWidth;
  const x = right + 22 + span.lane * plan.laneWidth;
  const made = svg("g", { class: "array", "data-array": span.array }, svg("title", {}, span.array),
    svg("path", { class: "lane", d: `M${x} ${span.begin}V${span.end}` }));
  for (const { ports = [] } of items)
    for (const port of ports.filter(({ array }) => array === span.array)) {
      made.append(svg("path", { class: "wire", d: `M${right} ${port.y}H${x}` }));
      made.append(svg("circle", { class: writes(port.access) ? "dot writes" : "dot", cx: x, cy: port.y, r: 3.6 }));
    }
  return made;
}

/** One step of a picture can be reached by Tab, the others from there. */
function keyAtStep(event, hold) {
  const steps = [...event.currentTarget.parentNode.querySelectorAll(".step")];
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const next = steps[steps.indexOf(event.currentTarget) + (by ?? 0)];
  if (event.key === "Enter" || event.key === " ") hold();
  else if (by && next) {
    event.currentTarget.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  } else return;
  event.preventDefault();
}

function drawPlan(entry, pointAt, things) {
  const { items, height } = layOut(entry);
  const { spans, count } = lanesOf(items);
  const width = plan.margin * 2 + plan.width + plan.portWidth + 30 + count * plan.laneWidth;
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `The plan of ${entry.name}` });
  const arrays = new Map([...spans.values()].map((span) => [span.array, drawArray(span, items)]));
  picture.append(...arrays.values());
  const light = (names) => arrays.forEach((made, name) => made.classList.toggle("lit", names.includes(name)));
  for (const item of items) {
    if (item.title) {
      picture.append(drawGroup(item));
      continue;
    }
    const made = drawStep(item);
    const thing = { element: made, origins: item.step.origins };
    things.push(thing);
    const names = item.ports.map(({ array }) => array);
    made.addEventListener("pointerenter", () => light(names));
    made.addEventListener("focus", () => light(names));
    made.addEventListener("click", () => pointAt(thing, "hold"));
    made.addEventListener("keydown", (event) => keyAtStep(event, () => pointAt(thing, "hold")));
    picture.append(made);
  }
  for (const [name, made] of arrays) made.addEventListener("pointerenter", () => light([name]));
  picture.querySelector(".step").setAttribute("tabindex", "0");
  return element("div", { class: "picture", role: "region", "aria-label": `The plan of ${entry.name}` }, picture);
}

/** The pictures of all entries. What they show goes to `things`, as rows of panes do. */
function startPlan(pointAt) {
  const things = [];
  const isCuda = page.panes[2].title.endsWith(".cu");
  document.getElementById("plan-lead").textContent = (isCuda ? "Kernels and calls in the order in which they are queued, with their extents" : "Nests of loops in their order, with their extents") +
    ", and a line for each array from where it is made to where it is last read. A click holds what belongs to a step in the panes.";
  const box = document.getElementById("plan-pictures");
  for (const entry of page.plan)
    box.append(element("h3", { class: "entry-title" }, entry.name, element("small", {}, entry.source)), drawPlan(entry, pointAt, things));
  box.append(element("p", { class: "legend" }, element("span", { class: "key" }, "◂"), " reads   ", element("span", { class: "key" }, "▸"), " writes   ",
    element("span", { class: "key" }, "▸+"), " adds or updates   ", element("span", { class: "key" }, "▫"), " scratch memory of each thread",
    isCuda ? ".   A grid is at most 65,535 blocks high or deep; its threads then go on." : ""));
  return { things, index: new Index(things) };
}
