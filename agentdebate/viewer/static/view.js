"use strict";
// Keys, and what is dimmed while a message is looked at. Every page works without this file.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const typing = (target) => target.matches("input:not([type=checkbox]), select, textarea, [contenteditable]");
  const key = (name) => document.querySelector(`[data-key="${CSS.escape(name)}"]`);

  const inRanges = (ranges, number) =>
    ranges.split(" ").some((range) => {
      const [first, last] = range.split("-").map(Number);
      return number >= first && number <= (last ?? first);
    });

  // What the speaker of a message was not shown is dimmed while the message is pointed at or has the focus.
  let seen = null;
  const look = (card) => {
    if (card === seen) return;
    seen = card;
    for (const other of all(".card")) {
      const hidden = card && card.dataset.shown && other !== card && !inRanges(card.dataset.shown, Number(other.dataset.seq));
      other.classList.toggle("unshown", Boolean(hidden));
    }
  };
  const cardOf = (target) => (target instanceof Element ? target.closest(".card") : null);
  document.addEventListener("focusin", (event) => look(cardOf(event.target)));
  let waiting = 0;
  document.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const card = cardOf(event.target);
    if (event.pointerType === "mouse") waiting = setTimeout(() => look(card ?? cardOf(document.activeElement)), card ? 350 : 120);
    const mark = event.target instanceof Element ? event.target.closest("[data-mark]") : null;
    for (const one of all(".lit")) one.classList.remove("lit");
    if (mark) for (const one of all(`[data-mark="${mark.dataset.mark}"]`)) one.classList.add("lit");
  });

  const step = (selector, by) => {
    const places = all(selector).filter((one) => one.checkVisibility());
    if (!places.length) return false;
    const here = places.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
    const start = here < 0 ? places.findIndex((one) => one.getBoundingClientRect().top >= 0) - (by > 0 ? 1 : 0) : here;
    const next = places[Math.min(Math.max(start + by, 0), places.length - 1)];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    return true;
  };

  const open = (target) => {
    const card = target.closest(".card");
    if (!card || target !== card) return false;
    const more = card.querySelector("details.more");
    if (!more) return false;
    more.open = !more.open;
    if (more.open) for (const link of more.querySelectorAll("a[data-call]")) link.click();
    return true;
  };

  // The page of a call is shown below the link to it.
  document.addEventListener("click", async (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-call]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const answer = await fetch(link.href).catch(() => null);
    const call = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".call");
    if (call) link.closest("li").querySelector(".call-place").replaceChildren(...call.childNodes);
    else location.href = link.href;
  });

  const help = (event) => {
    const dialog = document.getElementById("keys");
    if (!dialog?.showModal) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".keys-link")) help(event);
  });

  for (const button of all(".keys-link")) button.hidden = false;
  const press = (name) => {
    const target = key(name);
    if (!target) return false;
    if (target.matches("input")) {
      target.focus();
      target.select();
    } else target.click();
    return true;
  };
  const up = () => {
    const named = key("Escape") ?? all(".trail a").at(-2);
    named?.click();
    return Boolean(named);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (document.querySelector("dialog[open]")) return;
    if (typing(target)) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const does = {
      j: () => press("j") || step("a.row", 1),
      k: () => press("k") || step("a.row", -1),
      n: () => step(".card", 1),
      p: () => step(".card", -1),
      Enter: () => open(target),
      Escape: up,
    }[event.key];
    if (event.key === "?") return help(event);
    if (does ? does() : ["f", "c", "/", "b"].includes(event.key) && press(event.key)) event.preventDefault();
  });

  // A page of a run that goes on is asked for again and again. What is open in a message stays open, and what is typed stays.
  const live = { paused: false, text: null, timer: 0 };
  const place = () => document.querySelector("[data-live]");
  const dress = () => {
    const button = document.querySelector("[data-live-pause]");
    if (!button) return;
    button.hidden = false;
    button.textContent = live.paused ? "Go on" : "Pause";
    button.setAttribute("aria-pressed", String(live.paused));
    const state = document.querySelector("[data-live-state]");
    state.textContent = live.paused ? "Paused." : state.dataset.liveState;
    document.querySelector("[data-live-reload]").hidden = !live.paused;
  };
  const nameOf = (one) => {
    if (one.id) return `#${CSS.escape(one.id)}`;
    if (one.matches("a[href]")) return `a[href="${CSS.escape(one.getAttribute("href"))}"]`;
    const value = one.type === "checkbox" ? `[value="${CSS.escape(one.value)}"]` : "";
    return one.matches("input[name], select[name]") ? `[name="${CSS.escape(one.name)}"]${value}` : null;
  };
  const put = (fresh) => {
    const main = document.getElementById("main");
    const focus = main.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    const onPause = document.activeElement?.matches("[data-live-pause]");
    for (const card of fresh.querySelectorAll(".card[id]")) {
      const held = document.getElementById(card.id);
      if (held?.querySelector("details[open]")) card.replaceWith(held);
    }
    const open = [...main.querySelectorAll("details")].filter((one) => !one.closest(".card")).map((one) => one.open);
    [...fresh.querySelectorAll("details")].filter((one) => !one.closest(".card")).forEach((one, at) => (one.open = open[at] ?? one.open));
    for (const field of main.querySelectorAll("input[name], select[name]")) {
      const again = fresh.querySelector(nameOf(field));
      if (again) field.type === "checkbox" ? (again.checked = field.checked) : (again.value = field.value);
    }
    const sides = [...main.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
    const [x, y] = [scrollX, scrollY];
    main.replaceWith(fresh);
    [...fresh.querySelectorAll(".scroll")].forEach((one, at) => (one.scrollLeft = sides[at] ?? 0));
    dress();
    (onPause ? fresh.querySelector("[data-live-pause]") : focus && fresh.querySelector(focus))?.focus({ preventScroll: true });
    scrollTo(x, y);
  };
  const held = () => live.paused || document.hidden || typing(document.activeElement);
  const refresh = async () => {
    const began = performance.now();
    const answer = await fetch(location.href).catch(() => null); // the server may be gone: it is asked again
    const text = answer?.ok && (await answer.text());
    if (!text || text === live.text || held()) return began;
    live.text = text;
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (fresh) put(fresh);
    return began;
  };
  const follow = async () => {
    clearTimeout(live.timer);
    dress();
    if (!place()) return;
    const began = held() ? performance.now() : await refresh();
    // A page that takes long to draw is asked for less often.
    clearTimeout(live.timer);
    live.timer = setTimeout(follow, Math.min(Math.max(9 * (performance.now() - began), 1000), 30000));
  };
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-live-pause]"))) return;
    live.paused = !live.paused;
    follow();
  });
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => clearTimeout(live.timer));
  addEventListener("pageshow", follow);

  // Fields that are empty are left out of the address.
  document.addEventListener("submit", (event) => {
    for (const field of event.target.elements) {
      if (event.target.hasAttribute("data-short") && field.name && !field.value) field.disabled = true;
    }
  });
  addEventListener("pageshow", () => {
    for (const field of all("form[data-short] :disabled")) field.disabled = false;
  });
})();
