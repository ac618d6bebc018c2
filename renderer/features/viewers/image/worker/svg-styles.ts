import type { SvgElement } from './svg-elements.ts';

/** A declaration of a style sheet that refers to other content, and the elements that it may apply to. */
export interface StyleReference {
  readonly declaration: string;
  readonly appliesTo: (element: SvgElement) => boolean;
}

const everything = (): boolean => true;

/**
 * Returns the declarations of a style sheet that make the browser draw other content: masks, patterns, filters, images. Treats any
 * selector other than names, classes and ids as matching every element.
 */
export function styleReferences(sheet: string): readonly StyleReference[] {
  const css = sheet.replaceAll(/\/\*[^]*?(?:\*\/|$)/g, ' ');
  if (!/url\s*\(|filter|\\/i.test(css)) return [];
  // This simple parser might assign declarations to the wrong selector if there are nested rules, braces in strings or escapes.
  const isPlain = !/\\|&|["'][^"']*[{}][^"']*["']|\{[^{}]*\{[^{}]*\{/.test(css);
  const found: StyleReference[] = [];
  let selector = '';
  for (const [part] of css.matchAll(/(?:"[^"]*"|'[^']*'|url\([^)]*\)|[^{};])+|[{};]/gi)) {
    if (part === '{' || part === '}' || part === ';') continue;
    if (/url\s*\(|filter/i.test(part) && /^\s*[\w-]+\s*:/.test(part))
      found.push({ declaration: part, appliesTo: isPlain ? matcherOf(selector) : everything });
    else selector = part;
  }
  return found;
}

/** Matches by the last part of each selector, which covers at least all elements that the browser matches. */
function matcherOf(selectors: string): (element: SvgElement) => boolean {
  if (!/^[\s\w.#,>+~-]+$/.test(selectors)) return everything;
  const tests = selectors.split(',').map((selector) => {
    const last =
      selector
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? '';
    const className = /\.(?<name>[\w-]+)/.exec(last)?.groups?.['name'];
    const id = /#(?<name>[\w-]+)/.exec(last)?.groups?.['name'];
    const tag = /^[\w-]+/.exec(last)?.[0].toLowerCase();
    return ({ name, attributes }: SvgElement): boolean =>
      (className === undefined || (attributes.get('class') ?? '').split(/\s+/).includes(className)) &&
      (id === undefined || attributes.get('id') === id) &&
      (tag === undefined || tag === name);
  });
  return (element) => tests.some((test) => test(element));
}

/** Resolves the escapes in CSS. For example, `\75rl(#a)` becomes `url(#a)`. */
export function unescapedCss(text: string): string {
  return text.replaceAll(/\\(?:(?<hex>[\da-f]{1,6})\s?|(?<plain>[^\n]))/gi, (...rest: readonly unknown[]) => {
    const { hex, plain = '' } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (hex === undefined) return plain;
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}
