// Searching a report: rows that lack one of the words hide, and so do groups without rows.
// @ts-check

const field = /** @type {HTMLInputElement} */ (document.querySelector("input[type=search]"));
const said = /** @type {HTMLElement} */ (document.querySelector("[role=status]"));
const groups = [...document.querySelectorAll("details.group")].map((group) => ({
  group: /** @type {HTMLDetailsElement} */ (group),
  bodies: [...group.querySelectorAll("tbody, pre")].map((body) => /** @type {HTMLElement} */ (body)),
}));
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.getAttribute("href"), link]));
const opened = new Map(groups.map(({ group }) => [group, group.open]));
/** @type {WeakMap<Element, string>} */
const texts = new WeakMap();

/** @param {Element} row */
function textOf(row) {
  let text = texts.get(row);
  if (text === undefined) texts.set(row, text = (row.textContent ?? "").toLowerCase());
  return text;
}

/** How many rows of a body have all words; the others hide.  A heading of rows names them all.
 * @param {HTMLElement} body @param {string[]} words */
function search(body, words) {
  const heading = body.querySelector("th[scope=rowgroup]")?.closest("tr");
  const rows = [...body.children].filter((row) => row !== heading);
  const all = heading ? textOf(heading) : "";
  let found = 0;
  for (const row of rows) {
    const fits = words.every((word) => all.includes(word) || textOf(row).includes(word));
    /** @type {HTMLElement} */ (row).hidden = !fits;
    found += Number(fits);
  }
  body.hidden = !found;
  return found;
}

/** A listing is one row: it is there or not.
 * @param {HTMLElement} listing @param {string[]} words */
function listed(listing, words) {
  return Number(words.every((word) => textOf(listing).includes(word)));
}

function update() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let total = 0;
  for (const { group, bodies } of groups) {
    const found = bodies.reduce((sum, body) => sum + (body.tagName === "PRE" ? listed : search)(body, words), 0);
    group.hidden = words.length > 0 && !found;
    const item = links.get(`#${group.id}`)?.parentElement;
    if (item) item.hidden = group.hidden;
    group.open = words.length ? found > 0 : opened.get(group) ?? false;
    total += found;
  }
  said.textContent = words.length ? `${total} ${total === 1 ? "row" : "rows"} found` : "";
}

let waiting = 0;
field.addEventListener("input", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(update);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === "Escape" && field.value) {
    field.value = "";
    update();
  }
});
for (const [place, link] of links) {
  link.addEventListener("click", (event) => {
    const group = groups.find((one) => `#${one.group.id}` === place)?.group;
    if (!group) return;
    event.preventDefault();  // following the link would take the focus away again
    group.open = true;
    group.scrollIntoView();
    group.querySelector("summary")?.focus();
  });
}
