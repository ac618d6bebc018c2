/** Returns an SVG of some 2 kB that expands to 10^12 rectangles. */
export function svgOfUses(): string {
  const levels = Array.from({ length: 12 }, (_, at) => {
    const below = `<use href="#a${String(at)}"/>`;
    return `<g id="a${String(at + 1)}">${below.repeat(10)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect id="a0" width="1" height="1"/>${levels.join('')}<use href="#a12"/></svg>`;
}
