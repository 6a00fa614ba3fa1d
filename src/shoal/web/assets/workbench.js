// What the browser has to do itself: tell the server which step is shown, what was typed, chosen, dropped or dragged,
// and keep the focus where it was when a part of the page is drawn again. No decision is made here.
"use strict";

// An element with an id is told about by its id: a part of the page may be drawn again while a click is on its way, and
// the click then counts for the element that has taken its place.
const tell = (element, name, detail) => {
  if (!element) return;
  const listens = (element.dataset.on || "").split(" ").includes(name);
  const root = listens && element.id !== "router" && document.getElementById("router");
  if (root) root.dispatchEvent(new CustomEvent("event", { detail: { id: element.id, event: name, detail } }));
  else element.dispatchEvent(new CustomEvent(name, { detail }));
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
let pressed = null;
document.addEventListener("pointerdown", (event) => { pressed = clickable(event); }, true);
document.addEventListener("pointerup", (event) => {
  const now = clickable(event);
  if (pressed && now && pressed !== now && pressed.id === now.id && !pressed.isConnected) tell(now, "click");
}, true);
document.addEventListener("click", (event) => {
  const clicked = clickable(event);
  if (clicked && !clicked.disabled) tell(clicked, "click");
});

document.addEventListener("change", (event) => {
  const said = event.target.closest("[data-say]");
  if (said) tell(said, "said", said.type === "checkbox" ? said.checked : said.value);
  if (event.target.type === "file") upload(event.target.closest("[data-upload]"), event.target.files[0]);
});

const upload = (zone, file) => {
  if (!zone || !file) return;
  const bar = zone.querySelector("progress");
  const request = new XMLHttpRequest();
  const refuse = (sentence) => tell(zone, "refused", sentence);
  request.open("PUT", zone.dataset.upload + "?name=" + encodeURIComponent(file.name));
  request.upload.onprogress = (event) => {
    if (bar && event.lengthComputable) bar.value = event.loaded / event.total;
  };
  request.onload = () => {
    if (bar) bar.value = 0;
    if (request.status < 300) return tell(zone, "received", file.name);
    let said = "The file was refused.";
    try { said = JSON.parse(request.responseText).detail; } catch { /* the sentence above will do */ }
    refuse(String(said));
  };
  request.onerror = () => refuse("The file was refused or the connection was lost; it may be too large.");
  tell(zone, "sending", file.name);
  request.send(file);
};

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
    upload(zone, event.dataTransfer.files[0]);
  } else if (group) {
    event.preventDefault();
    const detail = { value: event.dataTransfer.getData("text/plain"), group: group.dataset.group, level: group.dataset.level };
    tell(group.closest("[data-tree]"), "moved", detail);
  }
});

document.addEventListener("click", (event) => {
  const dot = event.target.closest("[data-node]");
  if (dot) tell(dot.closest("[data-picker]"), "picked", dot.dataset.node);
});

let last = null;
document.addEventListener("focusin", (event) => { last = event.target; });
new MutationObserver(() => {
  const heading = document.querySelector("main h1");
  const title = heading ? `${heading.textContent} · shoal workbench` : document.title;
  if (document.title !== title) document.title = title;
  if (!last || last.isConnected || document.activeElement !== document.body || !last.id) return;
  const again = document.getElementById(last.id);
  if (again) again.focus();
}).observe(document, { childList: true, subtree: true });
