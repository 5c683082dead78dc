// What belongs together. Rows of code and steps of the plan have origins, numbers of page.origins: `rule|file:line`.

const page = JSON.parse(document.getElementById("data").textContent);

const origins = page.origins.map((text) => {
  const bar = text.indexOf("|");
  return { rule: text.slice(0, bar), place: text.slice(bar + 1) };
});

/** Numbers of the origins with each place, `kmeans.fut:9`. */
const originsOfPlace = new Map();
origins.forEach(({ place }, number) => {
  if (!originsOfPlace.has(place)) originsOfPlace.set(place, []);
  originsOfPlace.get(place).push(number);
});

/** Things of one kind, rows of a pane or steps of a plan, by their origins. A thing is {origins: [number, ..], ..}. */
class Index {
  constructor(things) {
    this.byOrigin = new Map();
    this.byPlace = new Map();
    for (const thing of things)
      for (const number of thing.origins) {
        add(this.byOrigin, number, thing);
        add(this.byPlace, origins[number].place, thing);
      }
  }

  /** What has an origin in common; if nothing has, what comes from the same line. */
  of(numbers) {
    const found = new Set(numbers.flatMap((number) => [...(this.byOrigin.get(number) ?? [])]));
    if (found.size > 0) return found;
    return new Set(numbers.flatMap((number) => [...(this.byPlace.get(origins[number].place) ?? [])]));
  }
}

function add(map, key, thing) {
  if (!map.has(key)) map.set(key, new Set());
  map.get(key).add(thing);
}

/** An element with properties, attributes among them, and children. */
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && typeof value !== "string") made[key] = value;
    else if (key === "html") made.innerHTML = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}
