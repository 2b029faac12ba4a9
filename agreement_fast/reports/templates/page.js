"use strict";

const NARROW = matchMedia("(max-width: 40rem)").matches;
const PAGE = NARROW ? 10 : 50;
const $ = (id) => document.getElementById(id);
const read = (id) => ($(id) ? JSON.parse($(id).textContent) : null);

// Texts are text nodes, never markup.
const make = (tag, attributes, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...inside);
  return element;
};

const bdi = (text) => make("bdi", {}, text);
const number = (value) => value.toLocaleString("en");
const cell = (text, of = "n") => make("td", { class: of }, text);

const save = (name, type, text) => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

const unfold = (which, open) => {
  for (const one of document.querySelectorAll(which)) one.open = open;
};
if (NARROW) unfold(".long", false);

// ---- copying and saving

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const from = $(button.dataset.copy);
    const status = button.parentElement.querySelector("[role=status]");
    try {
      await navigator.clipboard.writeText(from.textContent.trim());
      status.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(from);
      status.textContent = document.execCommand("copy") ? "Copied." : "Selected: press Ctrl+C.";
    }
  });
}

const json = $("document");
if (json) {
  $("document-save").addEventListener("click", () => {
    const text = JSON.stringify(JSON.parse(json.textContent), null, 2);
    save("agreement.json", "application/json", text + "\n");
  });
}

addEventListener("beforeprint", () => unfold("details", true));

// ---- pairs of coders

const pairs = read("pairs-data");
if (pairs) {
  const panel = make("div", { id: "pair", class: "panel", "aria-live": "polite" });
  const buttons = [...document.querySelectorAll("[data-pair]")];
  buttons[0]?.closest(".wide").after(panel);
  const show = (button) => {
    for (const one of buttons) one.setAttribute("aria-pressed", one === button);
    const pair = button.dataset.pair;
    const [first, second] = pair.split("-").map((place) => pairs.coders[place]);
    const [value, low, high] = pairs.values[pair];
    const names = pairs.other ? [...pairs.labels, "others"] : pairs.labels;
    const width = names.length;
    const cells = Array(width ** 2).fill(0);
    const flat = pairs.tables[pair];
    for (let i = 0; i < flat.length; i += 2) cells[flat[i]] = flat[i + 1];
    const sum = (of) => of.reduce((a, b) => a + b, 0);
    const rows = names.map((_, i) => cells.slice(i * width, (i + 1) * width));
    const columns = names.map((_, j) => rows.map((row) => row[j]));
    const used = names.map((_, i) => i).filter((i) => sum(rows[i]) + sum(columns[i]) > 0);
    const head = make("tr", {}, make("td"));
    for (const j of used) head.append(make("th", { scope: "col", class: "n" }, bdi(names[j])));
    head.append(make("th", { scope: "col", class: "n" }, "all"));
    const body = make("tbody");
    for (const i of used) {
      const row = make("tr", {}, make("th", { scope: "row" }, bdi(names[i])));
      for (const j of used) {
        row.append(cell(number(rows[i][j]), i === j && i < pairs.labels.length ? "n same" : "n"));
      }
      row.append(cell(number(sum(rows[i]))));
      body.append(row);
    }
    const last = make("tr", {}, make("th", { scope: "row" }, "all"));
    for (const j of used) last.append(cell(number(sum(columns[j]))));
    last.append(cell(number(sum(cells))));
    body.append(last);
    const between = low ? ` (${pairs.interval} ${low} to ${high})` : "";
    panel.replaceChildren(
      make("h4", {}, bdi(first), " and ", bdi(second), `: ${pairs.coefficient} = ${value}${between}`),
      make("table", {}, make("caption", {}, "Items, rows by ", bdi(first), ", columns by ", bdi(second)), make("thead", {}, head), body),
    );
  };
  for (const button of buttons) button.addEventListener("click", () => show(button));
}

// ---- items

const items = read("items-data");
const table = $("items-table");
if (items && table) {
  const body = table.tBodies[0];
  const form = $("filters");
  const more = $("items-more");
  let sorted = { by: 2, down: true };
  let shown = [];
  let length = PAGE;

  // By label how many, and who.
  const groups = (row) => {
    const found = new Map();
    for (let i = 0; i < row[5].length; i += 2) {
      const [who, what] = [row[5][i], row[5][i + 1]];
      const one = found.get(what) || { n: 0, who: [] };
      one.n += items.known ? 1 : who;
      if (items.known) one.who.push(items.coders[who]);
      found.set(what, one);
    }
    return [...found].sort((a, b) => b[1].n - a[1].n || a[0] - b[0]);
  };

  const line = (row) => {
    const [name, disagreement, share, weight, text] = row;
    const head = make("th", { scope: "row" }, bdi(name));
    if (text) {
      const link = /^https?:\/\/\S+$/.test(text);
      const inside = link
        ? make("a", { href: text, rel: "noopener noreferrer", target: "_blank" }, text)
        : text;
      head.append(make("p", { class: "text", dir: "auto" }, inside));
    }
    const said = make("td");
    groups(row).forEach(([what, { n, who }], i) => {
      const names = who.flatMap((one, j) => [j ? ", " : " ", bdi(one)]);
      said.append(make("span", { class: i ? "chip" : "chip most" }, make("b", {}, bdi(items.labels[what])), " ", make("i", {}, number(n) + "×"), ...names), " ");
    });
    const weights = items.weighted ? [cell(number(weight))] : [];
    return make("tr", {}, head, ...weights, cell(disagreement.toFixed(3)), cell((100 * share).toFixed(2) + "%"), said);
  };

  const differ = (row, first, second) => {
    const said = new Map();
    for (let i = 0; i < row[5].length; i += 2) said.set(row[5][i], row[5][i + 1]);
    if ([first, second].some((who) => who !== null && !said.has(who))) return false;
    return first === null || second === null || said.get(first) !== said.get(second);
  };

  const draw = () => {
    body.replaceChildren(...shown.slice(0, length).map(line));
    more.hidden = shown.length <= length;
    more.textContent = `Show ${Math.min(PAGE, shown.length - length)} more`;
    const most = Math.min(length, shown.length);
    $("items-status").textContent = `${number(shown.length)} of ${number(items.rows.length)} items match the filters; ${number(most)} are listed.`;
  };

  const choose = () => {
    const given = (name) => (form.elements[name]?.value ? Number(form.elements[name].value) : null);
    const search = form.elements.search.value.trim().toLowerCase();
    const [label, first, second] = ["label", "first", "second"].map(given);
    shown = items.rows.filter(
      (row) =>
        (!search || (row[0] + "\n" + row[4]).toLowerCase().includes(search)) &&
        (label === null || row[5].some((what, i) => i % 2 && what === label)) &&
        (!items.known || differ(row, first, second)),
    );
    const { by, down } = sorted;
    const order = by ? (a, b) => a[by] - b[by] : (a, b) => a[0].localeCompare(b[0], "en", { numeric: true });
    if (by !== 2 || !down) shown.sort((a, b) => (down ? order(b, a) : order(a, b)));
    length = PAGE;
    draw();
  };

  for (const head of table.querySelectorAll("[data-sort]")) {
    const button = make("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const by = Number(head.dataset.sort);
      sorted = { by, down: sorted.by === by ? !sorted.down : by > 0 };
      for (const one of table.querySelectorAll("[aria-sort]")) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      choose();
    });
  }

  const fill = (name, texts) => {
    const select = form.elements[name];
    if (select) texts.forEach((text, i) => select.append(make("option", { value: i }, text)));
  };
  fill("label", items.labels);
  fill("first", items.coders);
  fill("second", items.coders);
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    length += PAGE;
    draw();
    const row = body.rows[length - PAGE];
    if (row) {
      row.tabIndex = -1;
      row.focus();
    }
  });

  // A spreadsheet would run it; numbers are left alone.
  const plain = (text) => (/^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? "'" + text : text);
  const quoted = (value) => {
    const text = typeof value === "number" ? String(value) : plain(String(value));
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  $("items-save").addEventListener("click", () => {
    const texts = items.rows.some((row) => row[4]);
    const judged = items.known
      ? [...new Set(shown.flatMap((row) => row[5].filter((_, i) => i % 2 === 0)))].sort((a, b) => a - b)
      : [];
    const columns = judged.length > 0 && judged.length <= 50;
    const rows = [["item", "disagreement", "share", ...(items.weighted ? ["weight"] : []), ...(texts ? ["text"] : []), ...(columns ? judged.map((who) => items.coders[who]) : ["judgments"])]];
    for (const row of shown) {
      const said = new Map();
      for (let i = 0; i < row[5].length; i += 2) said.set(row[5][i], items.labels[row[5][i + 1]]);
      const all = groups(row).map(([what, { n, who }]) => `${items.labels[what]}: ${who.length ? who.join(", ") : n}`);
      rows.push([row[0], row[1], row[2], ...(items.weighted ? [row[3]] : []), ...(texts ? [row[4]] : []), ...(columns ? judged.map((who) => said.get(who) ?? "") : [all.join("; ")])]);
    }
    save("disputed-items.csv", "text/csv", "\ufeff" + rows.map((row) => row.map(quoted).join(",") + "\r\n").join(""));
  });
  form.hidden = $("items-actions").hidden = false;
  choose();
}
