// A chart: ECharts as a custom element, with its data as a table, image download, zoom, and navigation by arrow keys.
// Colors are the page's own, so they follow its light and dark mode. All decisions are made on the server.
/* global made, tell */

const coloured = (value, colours) => {
  if (typeof value === "string") return value.startsWith("--") ? colours.getPropertyValue(value).trim() || value : value;
  if (Array.isArray(value)) return value.map((item) => coloured(item, colours));
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, coloured(item, colours)]));
  }
  return value;
};

const lines = (item) => {
  const said = item.data?.tip ?? [item.seriesName, item.name, [item.value].flat().join(", ")].filter(Boolean).join(": ");
  return String(said).split("\n");
};

const tip = (items) => {
  const box = made("div", "chart-tip");
  for (const item of [items].flat()) for (const line of lines(item)) box.append(made("div", "", line));
  return box;
};

class Chart extends HTMLElement {
  static observedAttributes = ["data-option", "data-table"];

  connectedCallback() {
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.again = () => this.paint();
    this.scheme.addEventListener("change", this.again);
    this.watcher = new ResizeObserver(() => this.chart?.resize());
    this.build();
  }

  disconnectedCallback() {
    this.scheme.removeEventListener("change", this.again);
    this.watcher.disconnect();
    this.chart?.dispose();
    this.chart = undefined;
    this.replaceChildren();
  }

  attributeChangedCallback(name) {
    if (this.chart && name === "data-option") this.paint();
    if (this.chart && name === "data-table" && !this.data.hidden) this.fill();
  }

  async build() {
    this.canvas = made("div", "chart-canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", this.dataset.label);
    this.canvas.addEventListener("keydown", (event) => this.walk(event));
    this.said = made("p", "visually-hidden");
    this.said.setAttribute("aria-live", "polite");
    this.data = made("div", "scroll chart-data");
    this.data.hidden = true;
    this.replaceChildren(this.tools(), this.canvas, this.data, this.said);
    const { echarts } = await import(this.dataset.library);
    if (!this.isConnected || this.chart) return;
    this.chart = echarts.init(this.canvas, null, { renderer: "canvas" });
    this.chart.on("click", (item) => this.pick(item.data));
    this.watcher.observe(this.canvas);
    this.paint();
  }

  tools() {
    const bar = made("div", "chart-tools");
    const deeds = { "As a table": (button) => this.turn(button), PNG: () => this.keep() };
    if ("zoom" in this.dataset) {
      Object.assign(deeds, { "Zoom in": () => this.zoom(0.6), "Zoom out": () => this.zoom(1 / 0.6), "All": () => this.zoom(0) });
    }
    for (const [text, act] of Object.entries(deeds)) {
      const button = made("button", "quiet", text);
      button.type = "button";
      button.setAttribute("aria-label", `${text}: ${this.dataset.label}`);
      button.addEventListener("click", () => act(button));
      bar.append(button);
    }
    bar.firstChild.setAttribute("aria-pressed", "false");
    return bar;
  }

  paint() {
    if (!this.chart) return;
    const colours = getComputedStyle(this);
    const given = coloured(JSON.parse(this.dataset.option), colours);
    const [ink, soft, rule, paper] = ["--ink", "--soft", "--rule", "--paper"].map((name) => colours.getPropertyValue(name).trim());
    const axis = (one) => one && [one].flat().map((each) => ({
      ...each,
      axisLabel: { color: soft, ...each.axisLabel }, nameTextStyle: { color: ink, ...each.nameTextStyle },
      axisLine: { lineStyle: { color: soft }, ...each.axisLine }, splitLine: { lineStyle: { color: rule }, ...each.splitLine },
    }));
    this.chart.setOption({
      animation: false,
      textStyle: { fontFamily: getComputedStyle(this).fontFamily, color: ink },
      tooltip: { trigger: "item", confine: true, formatter: tip, backgroundColor: paper, borderColor: soft, textStyle: { color: ink } },
      ...given,
      ...(given.legend ? { legend: { textStyle: { color: ink }, ...given.legend } } : {}),
      ...(given.xAxis ? { xAxis: axis(given.xAxis), yAxis: axis(given.yAxis) } : {}),
      ...("zoom" in this.dataset ? { dataZoom: [
        { type: "inside", xAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none" },
        { type: "inside", yAxisIndex: 0, zoomOnMouseWheel: "ctrl", filterMode: "none" },
      ] } : {}),
    }, { notMerge: true });
    this.points = (given.series ?? []).flatMap((series, seriesIndex) =>
      (series.data ?? []).map((data, dataIndex) => ({ seriesIndex, dataIndex, data, name: series.name })));
    this.place = -1;
    this.dataset.drawn = "";
  }

  zoom(factor) {
    const zooms = this.chart.getOption().dataZoom ?? [];
    zooms.forEach((now, dataZoomIndex) => {
      const middle = (now.start + now.end) / 2;
      const half = factor ? Math.min(50, (now.end - now.start) * factor / 2) : 50;
      const start = Math.min(Math.max(0, middle - half), 100 - 2 * half);
      this.chart.dispatchAction({ type: "dataZoom", dataZoomIndex, start, end: start + 2 * half });
    });
  }

  walk(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step && this.points?.length) {
      event.preventDefault();
      this.place = (this.place + step + this.points.length) % this.points.length;
      const { seriesIndex, dataIndex, data, name } = this.points[this.place];
      this.chart.dispatchAction({ type: "showTip", seriesIndex, dataIndex });
      this.said.textContent = lines({ data, value: data?.value ?? data, name: data?.name, seriesName: name }).join(", ");
    } else if (event.key === "Enter") {
      this.pick(this.points?.[this.place]?.data);
    }
  }

  pick(data) {
    if (data?.key !== undefined) tell(this, "picked", data.key);
  }

  turn(button) {
    this.data.hidden = !this.data.hidden;
    this.canvas.hidden = !this.data.hidden;
    button.setAttribute("aria-pressed", String(!this.data.hidden));
    if (!this.data.hidden) this.fill();
    else this.chart?.resize();
  }

  fill() {
    const { heads, rows } = JSON.parse(this.dataset.table);
    const table = made("table");
    table.append(made("caption", "", this.dataset.label));
    const head = table.createTHead().insertRow();
    for (const text of heads) {
      const cell = made("th", "", text);
      cell.scope = "col";
      head.append(cell);
    }
    const body = table.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      for (const text of row) line.append(made("td", typeof text === "number" ? "num" : "", String(text ?? "")));
    }
    this.data.tabIndex = 0;
    this.data.setAttribute("role", "region");
    this.data.setAttribute("aria-label", `${this.dataset.label}, as a table`);
    this.data.replaceChildren(table);
  }

  keep() {
    const link = made("a");
    const backgroundColor = getComputedStyle(this).getPropertyValue("--paper").trim();
    link.href = this.chart.getDataURL({ type: "png", pixelRatio: 2, backgroundColor });
    link.download = `${this.id || "chart"}.png`;
    link.click();
  }
}

customElements.define("data-chart", Chart);
