// Input is kept when the page is redrawn: a field that replaces another with the same id shows the same text, with the
// cursor in the same place, until the server has handled the input. From then on the server's value is shown. A click
// uses what the fields show at that moment: pending input is reported before it.
/* global tell */
"use strict";

const typed = new Map(); // by field id: the value, and the number of its report (0 if not reported yet)
let n_told = 0;

const value_of = (field) => {
  if (field.type === "checkbox") return field.checked;
  if (field.type === "select-multiple") return [...field.selectedOptions].map((option) => option.value);
  return field.value;
};

const show_in = (field, value) => {
  if (field.type === "checkbox") field.checked = value;
  else if (field.type === "select-multiple") {
    for (const option of field.options) option.selected = value.includes(option.value);
  } else if (field.value !== value) field.value = value;
};

const show_drawn = (field) => {
  if (field.type === "checkbox") field.checked = field.defaultChecked;
  else if (field.options) {
    for (const option of field.options) option.selected = option.defaultSelected;
    if (field.type !== "select-multiple" && field.selectedIndex < 0) field.selectedIndex = 0;
  } else if (field.value !== field.defaultValue) field.value = field.defaultValue;
};

const say = (field, value) => {
  n_told += 1;
  if (field.id) typed.set(field.id, { field, value, n: n_told });
  tell(field, "said", value, { n: n_told });
};

// Report pending input, except that of the field in which the user is typing.
const say_rest = (but = null) => {
  for (const [id, { field, value, n }] of typed) if (!n && id !== but) say(field, value);
};

document.addEventListener("input", (event) => {
  const field = event.target.closest("[data-say][id]");
  if (field) typed.set(field.id, { field, value: value_of(field), n: 0 });
}, true);
// Browsers also fire a change event when a field is removed while the user types: that input is reported later.
document.addEventListener("change", (event) => {
  const field = event.target.closest("[data-say]");
  if (!field) return;
  if (field.id) typed.set(field.id, { field, value: value_of(field), n: 0 });
  queueMicrotask(() => { if (field.isConnected && !typed.get(field.id)?.n) say(field, value_of(field)); });
});

// A field that replaced another fires no change event, so its input is reported when it loses the focus.
let last = null;
document.addEventListener("focusin", (event) => {
  last = event.target;
  say_rest(last.id);
});
document.addEventListener("focusout", (event) => {
  queueMicrotask(() => { if (event.target.isConnected && document.hasFocus()) say_rest(); });
});

const heard = (numbers) => {
  for (const [id, { field, n, is_again }] of typed) {
    if (!n || !numbers.includes(String(n))) continue;
    typed.delete(id);
    if (is_again && field.isConnected) show_drawn(field);
  }
};

// A number field does not reveal its cursor position, so the cursor moves to the end of its new value.
const move_to_end = (field) => {
  const { value } = field;
  field.value = "";
  field.value = value;
};

const focus_again = () => {
  if (!last || last.isConnected || document.activeElement !== document.body || !last.id) return;
  const before = last, now = document.getElementById(last.id);
  if (!now) return;
  now.focus();
  if (now.type === "number") move_to_end(now);
  else if (before.selectionStart != null && now.selectionStart != null) {
    now.setSelectionRange(before.selectionStart, before.selectionEnd, before.selectionDirection);
  }
};

// Collapsible parts keep their state in the same way, because a redraw in progress does not know of the click.
const folded = new Map(); // by part id: the part, and whether it is open
document.addEventListener("click", (event) => {
  const part = event.target.closest("summary")?.parentElement;
  if (part?.id) folded.set(part.id, { part, is_open: !part.open });
}, true);

const fold_again = () => {
  for (const [id, one] of folded) {
    const now = one.part.isConnected ? null : document.getElementById(id);
    if (now?.tagName !== "DETAILS") continue;
    now.open = one.is_open;
    one.part = now;
  }
};

const show_again = () => {
  const router = document.getElementById("router");
  if (router?.dataset.heard) heard(router.dataset.heard.split(" "));
  for (const [id, one] of typed) {
    const now = one.field.isConnected ? null : document.getElementById(id);
    if (!now || !("say" in now.dataset)) continue;
    show_in(now, one.value);
    Object.assign(one, { field: now, is_again: true });
  }
  fold_again();
  focus_again();
};
new MutationObserver(show_again)
  .observe(document, { childList: true, subtree: true, attributeFilter: ["data-heard"] });
