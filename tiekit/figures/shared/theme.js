// In which colors and what size is drawn? Those that the page has at the moment, for canvases know no CSS.

export class Theme {
  #root;

  constructor(root) {
    this.#root = root;
  }

  read() {
    const style = getComputedStyle(this.#root);
    this.ink = style.color;
    this.ground = style.backgroundColor;
    this.pale = style.caretColor;
    this.font = Math.round(parseFloat(style.fontSize) * 0.85);
  }
}
