// Search where the pages are opened as files. A browser starts no worker from a file, so the script of the worker runs
// in a hidden frame of the page instead. As between a page and a worker, messages are copies and arrive later. Where
// the pages are served, nothing changes.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inner = this.frame.contentWindow
      inner.postMessage = data => {
        const copy = structuredClone(data)
        setTimeout(() => this.onmessage?.({ data: copy }))
      }
      const script = inner.document.createElement("script")
      script.src = new URL(url, document.baseURI).href
      this.loaded = new Promise(resolve => {
        script.onload = () => resolve(inner)
      })
      script.onerror = event => this.onerror?.(event)
      inner.document.body.append(script)
    }

    postMessage(data) {
      const copy = structuredClone(data)
      this.loaded.then(inner => inner.onmessage({ data: copy }))
    }

    terminate() {
      this.frame.remove()
    }
  }
}
