// The panes: source, derivative and what is emitted. Each is a list of rows that one can go through.

/** Titles of parts of an emitted file whose lines nobody wrote the program for. */
const folded = new Set(["Runtime", "Tiles of results"]);

class Pane {
  constructor(description, pointAt) {
    this.description = description;
    this.rows = [];  // {element, origins, pane}
    this.cursor = -1;
    this.code = element("div", { class: "code", tabindex: "0", role: "listbox", id: `code-${description.id}`, "aria-label": description.title });
    this.element = element("section", { class: "pane", id: `pane-${description.id}` },
      element("h2", {}, description.title, element("span", { class: "count" })), this.code);
    description.files ? this.addFiles(description.files) : this.addText(description.text, (line) => description.origins[line] ?? []);
    this.index = new Index(this.rows);
    this.listen(pointAt);
  }

  addFiles(files) {
    for (const file of files) {
      if (files.length > 1) this.code.append(element("div", { class: "file-name", role: "presentation" }, file.name));
      this.addText(file.text, (line) => originsOfPlace.get(`${file.name}:${line + 1}`) ?? []);
    }
  }

  addText(text, originsOf) {
    const lines = text.replace(/\n$/, "").split("\n");
    const parts = partsOf(lines);
    lines.forEach((line, number) => {
      this.addRow(codeRow(line, this.description.language, String(number + 1)), originsOf(number));
      const part = parts.find(({ begin }) => begin === number + 1);
      if (part) this.fold(part);
    });
  }

  addRow(made, numbers) {
    const row = { element: made, origins: numbers, pane: this };
    made.id = `${this.description.id}-${this.rows.length + 1}`;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    made.classList.toggle("of", numbers.length > 0);
    made.row = row;
    if (this.hides) {
      made.hidden = true;
      this.hides.rows.push(made);
      if (this.rows.length + 1 >= this.hides.last) this.hides = null;
    }
    this.rows.push(row);
    this.code.append(made);
    return row;
  }

  /** A row stands for the part that follows, until somebody wants to see it. */
  fold(part) {
    const hidden = [];
    const made = element("div", { class: "row" }, element("span", { class: "number" }), element("span", { class: "text comment" }));
    const row = this.addRow(made, []);
    row.toggle = () => {
      const hide = !hidden[0]?.hidden;
      for (const line of hidden) line.hidden = hide;
      made.lastChild.textContent = `${hide ? "▸" : "▾"} ${part.end - part.begin} lines of ${part.title.toLowerCase()}, the same for many programs`;
      made.setAttribute("aria-expanded", String(!hide));
    };
    made.classList.add("of");
    this.hides = { rows: hidden, last: this.rows.length + part.end - part.begin };
    queueMicrotask(() => {
      for (const line of hidden) line.hidden = false;
      row.toggle();
    });
  }

  listen(pointAt) {
    this.code.addEventListener("pointerover", (event) => {
      const row = event.target.closest(".row")?.row;
      if (event.pointerType === "mouse" && row) pointAt(row, "point");
    });
    this.code.addEventListener("click", (event) => {
      const row = event.target.closest(".row")?.row;
      if (!row || getSelection().toString()) return;
      this.moveTo(this.rows.indexOf(row), false);
      row.toggle ? row.toggle() : pointAt(row, "hold");
    });
    this.code.addEventListener("keydown", (event) => this.key(event, pointAt));
    this.code.addEventListener("focus", () => {
      if (this.cursor < 0) this.moveTo(this.nextRow(-1, 1, (row) => row.origins.length > 0) ?? 0, false);
    });
  }

  key(event, pointAt) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
    const marks = { n: 1, p: -1 };
    const isAnyRow = () => true;
    if (event.key in steps) this.moveTo(this.nextRow(this.cursor, steps[event.key], isAnyRow));
    else if (event.key in marks) this.moveTo(this.nextRow(this.cursor, marks[event.key], (row) => row.element.classList.contains("marked")));
    else if (event.key === "Home") this.moveTo(this.nextRow(-1, 1, isAnyRow));
    else if (event.key === "End") this.moveTo(this.nextRow(this.rows.length, -1, isAnyRow));
    else if (event.key === "Enter" || event.key === " ") this.enter(pointAt);
    else return;
    event.preventDefault();
    if (event.key !== "Enter" && event.key !== " " && this.cursor >= 0) pointAt(this.rows[this.cursor], "point");
  }
  enter(pointAt) {
    const row = this.rows[this.cursor];
    if (row) row.toggle ? row.toggle() : pointAt(row, "hold");
  }

  nextRow(from, step, fits) {
    for (let i = from + step; i >= 0 && i < this.rows.length; i += step)
      if (!this.rows[i].element.hidden && fits(this.rows[i])) return i;
    return undefined;
  }
  moveTo(number, scroll = true) {
    if (number === undefined || number < 0) return;
    this.rows[this.cursor]?.element.classList.remove("cursor");
    this.cursor = number;
    const { element: made } = this.rows[number];
    made.classList.add("cursor");
    this.code.setAttribute("aria-activedescendant", made.id);
    if (scroll) scrollInside(this.code, made);
  }

  /** Marks what belongs to the origins, and in the pane where they come from that row alone. */
  mark(numbers, from) {
    for (const made of this.code.querySelectorAll(".row.marked")) {
      made.classList.remove("marked", "partly");
      made.setAttribute("aria-selected", "false");
    }
    const rows = from?.pane === this ? this.around(from) : this.index.of(numbers);
    // What is about far more, as the head of a kernel is, gets a lighter mark.
    const isPartly = (row) => !this.description.files && row.origins.length > 2 * numbers.length && row !== from;
    for (const row of rows) {
      row.element.classList.add("marked");
      row.element.classList.toggle("partly", isPartly(row));
      row.element.setAttribute("aria-selected", "true");
    }
    this.element.querySelector(".count").textContent = rows.size > 0 && from?.pane !== this ? `${rows.size} ${rows.size === 1 ? "line" : "lines"}` : "";
    if (from?.pane !== this) this.showOne(rows);
  }
  /** The rows around this one that have its origins: those of one statement. */
  around(row) {
    const isSame = (other) => String(other?.origins) === String(row.origins);
    const at = this.rows.indexOf(row), rows = new Set([row]);
    if (row.origins.length === 0) return rows;
    for (let i = at - 1; isSame(this.rows[i]); --i) rows.add(this.rows[i]);
    for (let i = at + 1; isSame(this.rows[i]); ++i) rows.add(this.rows[i]);
    return rows;
  }
  /** Scrolls to the first of them, unless one can be seen. */
  showOne(rows) {
    const shown = [...rows].filter((row) => !row.element.hidden);
    const view = this.code.getBoundingClientRect();
    const isSeen = ({ element: made }) => {
      const place = made.getBoundingClientRect();
      return place.top >= view.top && place.bottom <= view.bottom;
    };
    if (shown.length > 0 && !shown.some(isSeen)) {
      const first = this.rows.find((row) => rows.has(row) && !row.element.hidden);
      scrollInside(this.code, first.element, 0.2);
    }
  }
}

/** Parts of an emitted file to fold: their lines between the ruler with the title and the next one. */
function partsOf(lines) {
  const isRuler = (line) => /^\/\/ -{20,}$/.test(line ?? "");
  const titles = lines.flatMap((line, number) => (isRuler(lines[number - 1]) && isRuler(lines[number + 1]) ? [number] : []));
  return titles
    .map((number, i) => ({ title: lines[number].slice(3), begin: number + 2, end: (titles[i + 1] ?? lines.length + 1) - 1 }))
    .filter((part) => folded.has(part.title));
}

/** Scrolls the box, and nothing around it, until the row is to be seen: at this part of its height, or at its nearest edge. */
function scrollInside(box, row, at) {
  const view = box.getBoundingClientRect(), place = row.getBoundingClientRect();
  if (at !== undefined) box.scrollTop += place.top - view.top - at * view.height;
  else if (place.top < view.top + 8) box.scrollTop += place.top - view.top - 8;
  else if (place.bottom > view.bottom - 8) box.scrollTop += place.bottom - view.bottom + 8;
}
