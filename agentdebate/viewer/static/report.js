"use strict";
// Find, order and keys of a report. Everything in it can be read without this.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const typing = (target) => target.matches("input:not([type=checkbox]), select, textarea");
  const debateOf = (target) => target.closest("details.one");
  const place = (hash) => (hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null);

  const reveal = () => {
    const target = place(location.hash);
    for (let one = target; one; one = one.parentElement) if (one.matches("details")) one.open = true;
    if (target?.matches("details.one")) target.querySelector("summary").focus({ preventScroll: true });
    target?.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  // Find and order.
  const tables = all("[data-table]").map((form) => {
    const rows = document.querySelector(`[data-rows="${form.dataset.table}"]`);
    return { form, parts: all(".rows-part", rows), lines: all("tbody tr", rows), count: form.querySelector(".count") };
  });
  const has = (line, words, said) => {
    if (line.textContent.toLowerCase().includes(words)) return true;
    const debate = said && place(new URL(line.querySelector("a").href || "about:blank").hash);
    return Boolean(debate && debate.textContent.toLowerCase().includes(words));
  };
  const narrow = ({ form, parts, lines, count }) => {
    const words = form.querySelector("[type=search]").value.trim().toLowerCase();
    const failed = form.querySelector("[name=failed]").checked;
    const said = form.querySelector("[name=talk]")?.checked ?? false;
    let left = 0;
    for (const line of lines) {
      const fits = (!failed || line.querySelector("td .bad") !== null) && (!words || has(line, words, said));
      line.hidden = !fits;
      left += fits;
    }
    for (const part of parts) part.hidden = !part.querySelector("tbody tr:not([hidden])");
    if (parts[0]) parts[0].hidden = false; // it has the head of the table
    count.textContent = `${left.toLocaleString("en")} of ${lines.length.toLocaleString("en")} debates`;
  };
  const value = (line, column) => {
    const text = line.children[column].textContent.trim();
    const number = text.replace(/[,*\s]/g, "").replace("−", "-").replace("+", "");
    const [, digits, unit] = /^(-?[\d.]+)(ms|s|min|h|M)?/.exec(number) ?? [];
    return digits === undefined ? text : Number(digits) * ({ ms: 0.001, min: 60, h: 3600, M: 1e6 }[unit] ?? 1);
  };
  const sort = (table, column, down) => {
    const empty = (one) => one === "–" || one === "";
    const keyed = table.lines.map((line) => [value(line, column), line]);
    keyed.sort(([a], [b]) => {
      if (empty(a) || empty(b)) return empty(a) - empty(b);
      const by = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
      return down ? -by : by;
    });
    table.lines = keyed.map(([, line]) => line);
    const size = Math.ceil(table.lines.length / table.parts.length);
    table.parts.forEach((part, at) => part.querySelector("tbody").replaceChildren(...table.lines.slice(at * size, (at + 1) * size)));
    narrow(table);
  };
  for (const table of tables) {
    table.form.hidden = false;
    table.form.addEventListener("input", () => narrow(table));
    const heads = table.parts[0] ? all("thead th", table.parts[0]) : [];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending" || (!head.hasAttribute("aria-sort") && head.matches(".num"));
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
    narrow(table);
  }

  // What the speaker of a message was not shown is dimmed while the message is pointed at or has the focus.
  const inRanges = (ranges, number) =>
    ranges.split(" ").some((range) => {
      const [first, last] = range.split("-").map(Number);
      return number >= first && number <= (last ?? first);
    });
  let seen = null;
  const look = (card) => {
    if (card === seen) return;
    for (const other of seen ? all(".unshown", debateOf(seen)) : []) other.classList.remove("unshown");
    seen = card;
    for (const other of card?.dataset.shown ? all(".card", debateOf(card)) : [])
      other.classList.toggle("unshown", other !== card && !inRanges(card.dataset.shown, Number(other.dataset.seq)));
  };
  const cardOf = (target) => (target instanceof Element ? target.closest(".card") : null);
  document.addEventListener("focusin", (event) => look(cardOf(event.target)));
  let waiting = 0;
  document.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const card = cardOf(event.target);
    if (event.pointerType === "mouse") waiting = setTimeout(() => look(card ?? cardOf(document.activeElement)), card ? 350 : 120);
  });

  // Keys.
  const go = (target) => {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
  };
  const step = (places, by) => {
    if (!places.length) return false;
    const here = places.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
    const start = here < 0 ? (by > 0 ? -1 : 1) : here;
    go(places[Math.min(Math.max(start + by, 0), places.length - 1)]);
    return true;
  };
  const near = (by) => {
    const debate = debateOf(document.activeElement);
    if (debate) {
      let next = debate;
      do next = by > 0 ? next.nextElementSibling : next.previousElementSibling;
      while (next && !next.matches("details.one"));
      if (!next) return true;
      debate.open = false;
      next.open = true;
      go(next.querySelector("summary"));
      next.scrollIntoView();
      return true;
    }
    const rows = all(".wide-rows tbody tr:not([hidden])").map((line) => line.querySelector(".row"));
    for (const row of rows) if (!row.hasAttribute("href")) row.tabIndex = -1;
    return step(rows, by);
  };
  const messages = (by) => {
    const debate = debateOf(document.activeElement) ?? document.querySelector("details.one[open]");
    return Boolean(debate) && step(all(".card", debate), by);
  };
  const enter = (target) => {
    const more = target.matches(".card") ? target.querySelector("details.more") : null;
    if (!more) return false;
    more.open = !more.open;
    return true;
  };
  const back = () => {
    const debate = debateOf(document.activeElement) ?? document.querySelector("details.one[open]");
    if (!debate) return false;
    debate.open = false;
    const row = document.querySelector(`.row[href="#${CSS.escape(debate.id)}"]`);
    if (row) {
      go(row);
      row.scrollIntoView({ block: "center" });
    }
    return true;
  };
  const find = () => {
    const field = document.querySelector("[data-key='/']");
    field?.focus();
    field?.select();
    field?.scrollIntoView({ block: "center" });
    return Boolean(field);
  };
  const failures = () => {
    const link = document.querySelector("[data-key='f']");
    link?.click();
    return Boolean(link);
  };
  const help = () => {
    document.getElementById("keys").showModal();
    return true;
  };
  const button = document.querySelector(".keys-link");
  button.hidden = false;
  button.addEventListener("click", help);
  const keys = { j: () => near(1), k: () => near(-1), n: () => messages(1), p: () => messages(-1), f: failures, "/": find, "?": help, Escape: back };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (typing(target)) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const does = event.key === "Enter" ? () => enter(target) : keys[event.key];
    if (does?.()) event.preventDefault();
  });
  addEventListener("DOMContentLoaded", reveal); // the debates come after this script
})();
