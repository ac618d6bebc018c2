/** An element of an SVG, with all that determines the effort to draw it. */
export interface SvgElement {
  /** In lower case, without its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** Characters directly inside. */
  text: string;
}

/** Thrown for a document whose drawing effort cannot be estimated. */
export class UnboundedSvg extends Error {
  override readonly name = 'UnboundedSvg';
}

/** Limit of nesting, since the browser's layout recurses once per level. */
const maxDepth = 2000;
const namePattern = /[^\s/>=]+/y;
const attributePattern = /\s*(?<name>[^\s=/>]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/y;
const entityPattern = /<!ENTITY\s+(?<name>[^\s%]+)\s+(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/g;
const referencePattern = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[^;&\s]{1,200}));/gi;
const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Returns the root elements of an XML text. More lenient than a strict parser, so that it finds everything a browser might draw.
 * Throws UnboundedSvg for entities that contain markup, for default attributes, and for style sheets outside the document.
 */
export function svgElements(text: string): readonly SvgElement[] {
  const root: SvgElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open: SvgElement[] = [root];
  let entities = predefined;
  const endOf = (mark: string, from: number): number => {
    const end = text.indexOf(mark, from);
    return end < 0 ? text.length : end + mark.length;
  };
  for (let at = 0; at < text.length;) {
    const inside = open.at(-1) ?? root;
    const start = text.indexOf('<', at);
    inside.text += decoded(text.slice(at, start < 0 ? text.length : start), entities);
    if (start < 0) break;
    if (text.startsWith('<!--', start)) at = endOf('-->', start + 4);
    else if (text.startsWith('<![CDATA[', start)) {
      at = endOf(']]>', start + 9);
      inside.text += text.slice(start + 9, Math.max(start + 9, at - 3));
    } else if (text.startsWith('<?', start)) {
      at = endOf('?>', start + 2);
      if (/^<\?xml-stylesheet/i.test(text.slice(start, start + 20))) throw new UnboundedSvg();
    } else if (text.startsWith('<!', start)) {
      at = declarationEnd(text, start);
      entities = new Map([...entities, ...entitiesOf(text.slice(start, at))]);
    } else if (text.startsWith('</', start)) {
      at = endOf('>', start + 2);
      if (open.length > 1) open.pop();
    } else {
      namePattern.lastIndex = start + 1;
      const name = namePattern.exec(text)?.[0] ?? '';
      const attributes = new Map<string, string>();
      at = start + 1 + name.length;
      attributePattern.lastIndex = at;
      for (let found = attributePattern.exec(text); found !== null; found = attributePattern.exec(text)) {
        const { groups = {} } = found;
        const value = groups['double'] ?? groups['single'] ?? '';
        attributes.set(localName(groups['name'] ?? ''), decoded(value, entities));
        at = attributePattern.lastIndex;
      }
      const end = endOf('>', at);
      const element: SvgElement = { name: localName(name), attributes, children: [], text: '' };
      inside.children.push(element);
      if (text[end - 2] !== '/') {
        open.push(element);
        if (open.length > maxDepth) throw new UnboundedSvg();
      }
      at = end;
    }
  }
  return root.children;
}

/** Returns the end of a declaration: the first `>` outside of quotes, comments and its internal subset. */
function declarationEnd(text: string, start: number): number {
  const parts = /"[^"]*"|'[^']*'|<!--[^]*?-->|<\?[^]*?\?>|[<>[\]]/g;
  parts.lastIndex = start + 2;
  let depth = 1;
  for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
    if (found[0] === '<' || found[0] === '[') depth += 1;
    else if (found[0] === '>' || found[0] === ']') depth -= 1;
    if (depth === 0) return parts.lastIndex;
  }
  return text.length;
}

/** Reads the entities of a declaration, which drawing programs use as namespaces. Throws UnboundedSvg for those with markup. */
function entitiesOf(declaration: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (/<!ATTLIST[^>]*(?:url\(|["']\s*#)|<!ENTITY\s+%|%[\w.-]+;/i.test(declaration)) throw new UnboundedSvg();
  for (const { groups = {} } of declaration.matchAll(entityPattern)) {
    const value = groups['double'] ?? groups['single'] ?? '';
    if (/[<&]/.test(value)) throw new UnboundedSvg();
    found.set(groups['name'] ?? '', value);
  }
  return found;
}

function decoded(text: string, entities: ReadonlyMap<string, string>): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(referencePattern, (written: string, ...rest: readonly unknown[]) => {
    const { decimal, hex, name } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (name !== undefined) return entities.get(name) ?? written;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : written;
  });
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
