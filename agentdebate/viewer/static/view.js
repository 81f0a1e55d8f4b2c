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
  const kept = document.querySelector(".card.focus");
  const cardOf = (target) => (target instanceof Element ? target.closest(".card") : null);
  document.addEventListener("focusin", (event) => look(cardOf(event.target) ?? kept));
  let waiting = 0;
  document.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const card = cardOf(event.target);
    if (event.pointerType === "mouse") waiting = setTimeout(() => look(card ?? cardOf(document.activeElement) ?? kept), card ? 350 : 120);
    const mark = event.target instanceof Element ? event.target.closest("[data-mark]") : null;
    for (const one of all(".lit")) one.classList.remove("lit");
    if (mark) for (const one of all(`[data-mark="${mark.dataset.mark}"]`)) one.classList.add("lit");
  });

  const step = (selector, by) => {
    const places = all(selector).filter((one) => one.getClientRects().length);
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
    if (more.open) for (const link of more.querySelectorAll("a[hx-get]")) link.click();
    return true;
  };

  const help = (event) => {
    const dialog = document.getElementById("keys");
    if (!dialog?.showModal) return;
    event.preventDefault();
    if (!dialog.open) dialog.showModal();
  };
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".keys-link")) help(event);
  });

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

  // A run that goes on is drawn again whenever there is news of it. What is open in a message stays open, and what is typed stays.
  const live = { source: null, paused: false, late: false, busy: false };
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
  const close = () => {
    live.source?.close();
    live.source = null;
  };
  const follow = () => {
    close();
    const here = place();
    dress();
    if (!here || live.paused || document.hidden) return;
    const source = new EventSource(`${here.dataset.live}&seen=${encodeURIComponent(here.dataset.mark)}`);
    source.addEventListener("news", refresh);
    source.addEventListener("over", () => {
      if (live.source === source) close();
      refresh();
    });
    live.source = source;
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
    htmx.process(fresh);
    [...fresh.querySelectorAll(".scroll")].forEach((one, at) => (one.scrollLeft = sides[at] ?? 0));
    dress();
    (onPause ? fresh.querySelector("[data-live-pause]") : focus && fresh.querySelector(focus))?.focus({ preventScroll: true });
    scrollTo(x, y);
  };
  const refresh = async () => {
    live.late = true;
    if (live.busy || live.paused || typing(document.activeElement)) return;
    live.busy = true;
    try {
      while (live.late && !live.paused && !typing(document.activeElement)) {
        live.late = false;
        const began = performance.now();
        const answer = await fetch(location.href);
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
        if (!answer.ok || !fresh || live.paused) break;
        put(fresh);
        if (!place()) close();
        if (document.querySelector("[data-more]")) live.late = true;
        // A page that takes long to draw is asked for less often.
        await new Promise((done) => setTimeout(done, Math.min(Math.max(3 * (performance.now() - began), 100), 30000)));
      }
    } catch {
      follow(); // the server is gone; the stream tries again by itself
    } finally {
      live.busy = false;
    }
  };
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element && event.target.closest("[data-live-pause]"))) return;
    live.paused = !live.paused;
    if (!live.paused) refresh();
    follow();
  });
  // A page that says how far it came goes on by itself.
  const more = () => document.querySelector("[data-more]") && !document.hidden && refresh();
  document.addEventListener("focusout", () => live.late && setTimeout(refresh));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && live.late) refresh();
    more();
    follow();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", follow);
  addEventListener("pageshow", more);

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
