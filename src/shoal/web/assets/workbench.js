// The browser's part: report to the server which section is shown, and what was clicked, dropped or dragged. fields.js
// reports what was typed or chosen. All decisions are made on the server.
/* global say_rest */
"use strict";

// Elements with an id are reported by their id: if a part of the page is redrawn while a click is on its way, the click
// goes to the element that has replaced the old one.
const tell = (element, name, detail, more = {}) => {
  if (!element) return;
  const listens = (element.dataset.on || "").split(" ").includes(name);
  const root = listens && element.id !== "router" && document.getElementById("router");
  if (root) root.dispatchEvent(new CustomEvent("event", { detail: { id: element.id, event: name, detail, ...more } }));
  else element.dispatchEvent(new CustomEvent(name, { detail }));
};

// A new element of a grid or a chart.
const made = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// A click is sent after the pending input of all fields; only buttons that cancel something (data-now) do not wait.
const click = (element) => {
  say_rest();
  tell(element, "click", undefined, { is_now: "now" in element.dataset });
};

const route = () => {
  const router = document.getElementById("router");
  if (!router) return setTimeout(route, 20);
  const address = decodeURIComponent(location.hash.slice(1));
  if (address === "main") return document.getElementById("main").focus();
  if (!router.dataset.watched) {
    router.dataset.watched = "yes";
    new MutationObserver(() => { location.hash = router.dataset.go.split(" ")[1]; })
      .observe(router, { attributeFilter: ["data-go"] });
  }
  tell(router, "route", address);
};
addEventListener("hashchange", route);
addEventListener("DOMContentLoaded", route);

const clickable = (event) => event.target.closest && event.target.closest("[data-on~=click]");
const pressable = (event) => event.target.closest && event.target.closest("[data-on~=click], a[id][href^='#']");
let pressed = null;
document.addEventListener("pointerdown", (event) => { pressed = pressable(event); }, true);
document.addEventListener("pointerup", (event) => {
  const now = pressable(event);
  if (!pressed || !now || pressed === now || pressed.id !== now.id || pressed.isConnected) return;
  if (now.hash) location.hash = now.hash; // a link that was redrawn meanwhile is not followed by the browser
  else click(now);
}, true);
document.addEventListener("click", (event) => {
  const clicked = clickable(event);
  if (clicked && !clicked.disabled) click(clicked);
});

// A slider reports its value while it moves, at most ten times a second; the field of the same name shows it at once.
let sliding = 0;
document.addEventListener("input", (event) => {
  const slider = event.target.closest("[data-slide]");
  if (!slider) return;
  const shown = document.getElementById(slider.dataset.slide);
  if (shown) shown.value = slider.value;
  if (sliding) return;
  tell(slider, "slid", slider.value);
  const told = slider.value;
  sliding = setTimeout(() => {
    sliding = 0;
    if (slider.isConnected && slider.value !== told) tell(slider, "slid", slider.value);
  }, 100);
});

document.addEventListener("change", (event) => {
  if (event.target.type !== "file" || !event.target.files.length) return;
  give(event.target.closest("[data-upload]"), [...event.target.files]);
  event.target.value = ""; // so that choosing the same file again triggers a change event
});

// If the page is redrawn while the user chooses a file, the file goes to the field that has replaced the old one.
document.addEventListener("click", (event) => {
  const field = event.target.closest("input[type=file]");
  if (!field) return;
  field.addEventListener("change", () => {
    const now = field.isConnected ? null : document.getElementById(field.id);
    if (now) give(now.closest("[data-upload]"), [...field.files]);
  }, { once: true });
});

// Files for a zone that asks for confirmation are sent only after the user confirms with a button.
let waiting = null;
const give = async (zone, files, isSure = false) => {
  if (!zone || !files.length) return;
  if ("ask" in zone.dataset && !isSure) {
    waiting = { zone, files };
    tell(zone, "asked", files[0].name);
  } else if ("several" in zone.dataset) {
    const names = [];
    for (const file of files) if (await upload(zone, file)) names.push(file.name);
    if (names.length) tell(zone, "received", names);
  } else if (await upload(zone, files[0])) tell(zone, "received", files[0].name);
};
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-send]") && waiting) give(waiting.zone, waiting.files, true);
});

const upload = (zone, file) => new Promise((done) => {
  const bar = zone.querySelector("progress");
  const request = new XMLHttpRequest();
  const refuse = (sentence) => { tell(zone, "refused", sentence); done(false); };
  request.open("PUT", zone.dataset.upload + "?name=" + encodeURIComponent(file.name));
  request.upload.onprogress = (event) => {
    if (bar && event.lengthComputable) bar.value = event.loaded / event.total;
  };
  request.onload = () => {
    if (bar) bar.value = 0;
    if (request.status < 300) return done(true);
    let said = "The file was refused.";
    try { said = JSON.parse(request.responseText).detail; } catch { /* keep the default message */ }
    refuse(String(said));
  };
  request.onerror = () => refuse("The file was refused or the connection was lost; it may be too large.");
  tell(zone, "sending", file.name);
  request.send(file);
});

document.addEventListener("toggle", (event) => {
  if ((event.target.dataset.on || "").includes("toggled")) tell(event.target, "toggled", event.target.open);
}, true);

document.addEventListener("dragover", (event) => {
  const target = event.target.closest("[data-upload], [data-group]");
  if (target) event.preventDefault();
});
document.addEventListener("dragstart", (event) => {
  const value = event.target.closest("[data-value]");
  if (value) event.dataTransfer.setData("text/plain", value.dataset.value);
});
document.addEventListener("drop", (event) => {
  const zone = event.target.closest("[data-upload]");
  const group = event.target.closest("[data-group]");
  if (zone) {
    event.preventDefault();
    give(zone, [...event.dataTransfer.files]);
  } else if (group) {
    event.preventDefault();
    const detail = { value: event.dataTransfer.getData("text/plain"), group: group.dataset.group, level: group.dataset.level };
    tell(group.closest("[data-tree]"), "moved", detail);
  }
});

new MutationObserver(() => {
  const heading = document.querySelector("main h1");
  const title = heading ? `${heading.textContent} · shoal workbench` : document.title;
  if (document.title !== title) document.title = title;
}).observe(document, { childList: true, subtree: true });
