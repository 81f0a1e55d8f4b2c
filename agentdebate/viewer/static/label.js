// Keys of the page on which a person labels. It works without this file: Tab, arrows and Enter.
(() => {
  const form = document.getElementById("answers");
  const sets = form ? [...form.querySelectorAll("fieldset")] : [];
  const answered = (set) => Boolean(set.querySelector("input:checked") || set.querySelector("input:not([type=radio])")?.value);
  let current = -1;
  const go = (at) => {
    current = at;
    sets.forEach((set, number) => set.classList.toggle("current", number === at));
    const set = sets[at];
    const target = set ? (set.querySelector("input:checked") ?? set.querySelector("input")) : form?.querySelector("button");
    target?.focus({ preventScroll: true });
    (set ?? target)?.scrollIntoView({ block: "nearest" });
  };
  const next = () => {
    const open = sets.findIndex((set, number) => number > current && !answered(set));
    const any = open < 0 ? sets.findIndex((set) => !answered(set)) : open;
    go(any < 0 ? sets.length : any);
  };
  document.addEventListener("focusin", (event) => {
    const at = sets.findIndex((set) => set.contains(event.target));
    if (at >= 0 && at !== current) {
      current = at;
      sets.forEach((set, number) => set.classList.toggle("current", number === at));
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const typing = target.matches("input:not([type=radio])");
    const named = ["u", "l"].includes(event.key) && document.querySelector(`[data-key="${event.key}"]:not([type=radio])`);
    if (named) {
      event.preventDefault();
      named.click();
    } else if (/^[0-9]$/.test(event.key) && !typing) {
      const choice = sets[current]?.querySelector(`[data-key="${event.key}"]`);
      if (!choice) return;
      event.preventDefault();
      choice.checked = true;
      next();
    } else if (event.key === "Backspace" && !(typing && target.value)) {
      event.preventDefault();
      go(Math.max(0, Math.min(current, sets.length) - 1));
    } else if (event.key === "Enter" && form && !target.matches("a, button")) {
      event.preventDefault();
      const open = sets.findIndex((set) => !answered(set));
      if (open >= 0) go(open);
      else form.requestSubmit();
    }
  });
  if (form) next();
  if (document.querySelector("[role=alert]")) scrollTo(0, 0);
})();
