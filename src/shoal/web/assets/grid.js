// A data grid: AG Grid as a custom element. Rows are passed with it, or fetched piece by piece from its source; the
// header contains drop-down lists (chips). Grids with the same link scroll, sort and filter together. All decisions are
// made on the server.
/* global made, tell */

const links = new Map();

const cells = (row) => (Array.isArray(row) ? row : row?.cells ?? []);

const inOrder = (one, other) => String(one ?? "").localeCompare(String(other ?? ""), undefined, { numeric: true });

class Header {
  init(params) {
    this.params = params;
    const column = params.spec;
    this.element = made("div", "grid-head");
    this.sort = made("button", "grid-sort", column.title);
    this.sort.type = "button";
    this.sort.title = `Sort by ${column.title}`;
    this.sort.addEventListener("click", (event) => params.progressSort(event.shiftKey));
    this.element.append(this.sort);
    for (const chip of column.chips) this.element.append(this.chip(column, chip));
    if ("filters" in params.host.dataset) this.element.append(this.filter(column));
    this.element.addEventListener("keydown", (event) => event.stopPropagation());
    this.told = () => { this.sort.dataset.sorted = params.column.getSort() ?? ""; };
    params.column.addEventListener("sortChanged", this.told);
    this.told();
  }

  chip(column, chip) {
    const list = made("select", `chip chip-${chip.key}`);
    list.id = `${chip.key}-${column.name}`;
    list.setAttribute("aria-label", chip.label);
    list.title = chip.label;
    list.dataset.value = chip.value;
    for (const [value, text] of Object.entries(chip.options)) {
      const option = made("option", "", text);
      option.value = value;
      option.selected = value === chip.value;
      list.append(option);
    }
    list.addEventListener("change", () => {
      list.dataset.value = list.value;
      tell(this.params.host, "chip", { column: column.name, chip: chip.key, value: list.value });
    });
    return list;
  }

  filter(column) {
    const field = made("input", "grid-filter");
    field.type = "search";
    field.placeholder = "Filter";
    field.size = 4; // fit the width of the column, not the default width of a field
    field.setAttribute("aria-label", `Filter ${column.title}`);
    field.value = this.params.api.getColumnFilterModel(column.name)?.filter ?? "";
    let soon = 0;
    field.addEventListener("input", () => {
      clearTimeout(soon);
      soon = setTimeout(() => this.params.host.narrow(column.name, field.value), 250);
    });
    return field;
  }

  getGui() { return this.element; }
  refresh() { return false; }
  destroy() { this.params.column.removeEventListener("sortChanged", this.told); }
}

class DataGrid extends HTMLElement {
  static observedAttributes = ["data-columns", "data-rows", "data-source"];

  connectedCallback() {
    this.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && event.target.closest(".ag-body")) this.leave(event);
    }, true);
    this.addEventListener("focusin", (event) => {
      if (event.target.matches(".ag-row")) this.api.setFocusedCell(+event.target.getAttribute("row-index"), this.specs()[0].name);
    });
    this.draw();
  }

  disconnectedCallback() {
    this.peers().delete(this);
    this.api?.destroy();
    this.api = undefined;
  }

  attributeChangedCallback(name) {
    if (!this.api) return;
    if (name === "data-columns") {
      this.api.setGridOption("columnDefs", this.columns());
      this.api.setGridOption("headerHeight", this.headerHeight());
    }
    else if (name === "data-rows") this.api.setGridOption("rowData", this.rows());
    else this.api.setGridOption("datasource", this.datasource());
  }

  peers() {
    const name = this.dataset.link ?? "";
    if (!name) return new Set([this]);
    if (!links.has(name)) links.set(name, new Set());
    return links.get(name);
  }

  headerHeight() {
    const chips = Math.max(0, ...this.specs().map((column) => column.chips.length));
    return 34 + 30 * (chips + ("filters" in this.dataset ? 1 : 0));
  }

  async draw() {
    const ag = await import(this.dataset.library);
    if (!this.isConnected || this.api) return;
    ag.ModuleRegistry.registerModules([ag.AllCommunityModule]);
    const theme = ag.themeQuartz.withParams({
      backgroundColor: "var(--paper)", foregroundColor: "var(--ink)", borderColor: "var(--rule)",
      accentColor: "var(--after)", headerBackgroundColor: "var(--panel)", headerTextColor: "var(--ink)",
      chromeBackgroundColor: "var(--panel)", oddRowBackgroundColor: "var(--paper)", rowHoverColor: "var(--panel)",
      inputBackgroundColor: "var(--paper)", inputTextColor: "var(--ink)", inputBorder: "1px solid var(--soft)",
      fontFamily: "inherit", fontSize: 13, spacing: 5, browserColorScheme: "inherit",
    });
    const isRemote = "source" in this.dataset;
    this.peers().add(this);
    this.api = ag.createGrid(this, {
      theme,
      columnDefs: this.columns(),
      defaultColDef: {
        sortable: true, resizable: true, minWidth: 90, maxWidth: 260, filter: "agTextColumnFilter",
        suppressHeaderMenuButton: true, suppressHeaderFilterButton: true,
        filterParams: { filterOptions: ["contains"], maxNumConditions: 1 },
        headerComponent: Header, comparator: inOrder,
      },
      headerHeight: this.headerHeight(),
      suppressHeaderFocus: true,
      rowModelType: isRemote ? "infinite" : "clientSide",
      ...(isRemote ? { cacheBlockSize: 100, maxBlocksInCache: 20, datasource: this.datasource() } : { rowData: this.rows() }),
      getRowClass: (row) => (row.data?.tone == null ? "" : `tone-${row.data.tone}`),
      ...(isRemote ? {} : { autoSizeStrategy: { type: "fitCellContents" } }),
      suppressMultiSort: true, enableCellTextSelection: true, ensureDomOrder: true, suppressCellFocus: false,
      alignedGrids: () => [...this.peers()].filter((peer) => peer !== this && peer.api).map((peer) => peer.api),
      onBodyScroll: (event) => { if (event.direction === "vertical") this.scrollPeers(event.top); },
      onSortChanged: (event) => { if (event.source !== "api") this.asked(); },
      onFirstDataRendered: () => this.named(),
    });
    this.named();
  }

  named() {
    const table = this.querySelector("[role=grid], [role=treegrid]");
    table?.setAttribute("aria-label", this.dataset.label ?? "Table");
    this.dataset.drawn = "";
  }

  async narrow(column, text) {
    await this.api.setColumnFilterModel(column, text ? { filterType: "text", type: "contains", filter: text } : null);
    this.api.onFilterChanged();
    this.asked();
  }

  // The tab key moves from the rows to the element after the grid, or back to its header; arrow keys move between cells.
  leave(event) {
    const beyond = (one) => (event.shiftKey
      ? one.closest("data-grid") === this && one.closest(".grid-head")
      : this.compareDocumentPosition(one) === Node.DOCUMENT_POSITION_FOLLOWING);
    const able = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')];
    const next = able.filter((one) => beyond(one) && one.checkVisibility() && !one.disabled).at(event.shiftKey ? -1 : 0);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  }

  specs() { return JSON.parse(this.dataset.columns); }

  rows() { return JSON.parse(this.dataset.rows ?? "[]"); }

  columns() {
    return this.specs().map((spec, place) => ({
      colId: spec.name, headerName: spec.title,
      ...(spec.width ? { width: spec.width, suppressAutoSize: true } : {}),
      type: spec.kind === "number" ? "rightAligned" : undefined,
      valueGetter: (row) => cells(row.data)[place],
      cellClass: (row) => row.data?.marks?.[place] ?? "",
      headerComponentParams: { spec, host: this },
    }));
  }

  datasource() {
    return {
      getRows: async (asked) => {
        const query = new URLSearchParams({ start: asked.startRow, n: asked.endRow - asked.startRow, ...this.question() });
        const joint = this.dataset.source.includes("?") ? "&" : "?";
        const answer = await fetch(this.dataset.source + joint + query).catch(() => null);
        if (!answer?.ok) return asked.failCallback();
        const found = await answer.json();
        asked.successCallback(found.rows, found.n);
        if (!this.sized) setTimeout(() => this.api?.autoSizeAllColumns(), 50);
        this.sized = true;
        return this.named();
      },
    };
  }

  question() {
    const sorted = [...this.peers()].flatMap((peer) => peer.api?.getColumnState() ?? []).find((column) => column.sort);
    const filters = {};
    for (const peer of this.peers()) {
      for (const [column, said] of Object.entries(peer.api?.getFilterModel() ?? {})) filters[column] = said.filter;
    }
    return {
      ...(sorted ? { sort: sorted.colId, descending: sorted.sort === "desc" } : {}),
      ...(Object.keys(filters).length ? { filters: JSON.stringify(filters) } : {}),
    };
  }

  asked() {
    for (const peer of this.peers()) {
      if (peer === this || !peer.api) continue;
      if (this.api.getColumnState().some((column) => column.sort)) {
        peer.api.applyColumnState({ defaultState: { sort: null } });
      }
      if ("source" in peer.dataset) peer.api.purgeInfiniteCache();
    }
  }

  scrollPeers(top) {
    for (const peer of this.peers()) {
      const body = peer === this ? null : peer.querySelector(".ag-body-viewport");
      if (body && Math.abs(body.scrollTop - top) > 1) body.scrollTop = top;
    }
  }
}

customElements.define("data-grid", DataGrid);
