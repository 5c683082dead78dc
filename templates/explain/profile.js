// The table of `boustro profile`, where it was run.

/** `12.3 µs` */
function inSeconds(seconds) {
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]])
    if (seconds >= size) return `${(seconds / size).toPrecision(3)} ${unit}`;
  return `${(seconds / 1e-9).toPrecision(3)} ns`;
}

function inBytes(bytes) {
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) if (bytes >= size) return `${(bytes / size).toPrecision(3)} ${unit}`;
  return `${bytes} B`;
}

const sumOf = (names) => (row) => names.reduce((sum, name) => sum + (row[name] ?? 0), 0);
const count = (value) => (value ? value.toLocaleString("en") : "");

/** Columns in which no row has anything are left out. */
const profileColumns = [
  ["launches", (row) => count(row.launches)],
  ["modelled time", (row) => (row.seconds ? inSeconds(row.seconds) : "")],
  ["measured", (row) => (row.measured_seconds ? inSeconds(row.measured_seconds) : "")],
  ["bound by", (row) => row.bound ?? ""],
  ["f32", (row) => count(sumOf(["f32_operations", "f32_special"])(row))],
  ["f64", (row) => count(sumOf(["f64_operations", "f64_special", "f64_tensor_operations"])(row))],
  ["loads", (row) => count(row.global_loads)],
  ["stores", (row) => count(row.global_stores)],
  ["needed from memory", (row) => (row.needed_bytes ? inBytes(row.needed_bytes) : "")],
  ["atomics", (row) => count(sumOf(["global_atomics", "shared_atomics"])(row))],
];

function startProfile() {
  const report = page.profile;
  if (!report) return;
  document.getElementById("profile").hidden = document.getElementById("to-profile").hidden = false;
  document.getElementById("profile-lead").textContent = `What ${report.entry} does on ${report.device}, by boustro profile${report.failure ? `; it failed: ${report.failure}` : ""}.`;
  const rows = report.rows, total = report.total ?? {};
  const columns = profileColumns.filter(([, text]) => rows.some((row) => text(row)));
  const share = (row) => {
    const part = total.seconds ? (row.seconds ?? 0) / total.seconds : 0;
    const bar = element("span", { class: "bar" });
    bar.style.width = `${(part * 6).toFixed(2)}rem`;
    return element("td", { class: "share" }, `${(100 * part).toFixed(0).padStart(3, "\u2007")} %`, bar);
  };
  const cells = (row) => columns.map(([, text]) => element("td", {}, text(row)));
  document.getElementById("profile-table").append(
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "step"), ...columns.map(([title]) => element("th", { scope: "col" }, title)), element("th", { scope: "col" }, "share"))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, element("td", {}, row.name), ...cells(row), share(row)))),
    element("tfoot", {}, element("tr", {}, element("td", {}, "all"), ...cells(total), element("td", {}))));
}
