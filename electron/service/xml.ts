import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { serviceError } from './service-errors.ts';
import { escapeXml } from './escape-xml.ts';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
export const xmlNamespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** One element with text; nothing where the value is absent. */
export function element(name: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  return `<${name}>${typeof value === 'number' ? value : escapeXml(value)}</${name}>`;
}

/** A whole document with S3's namespace. */
export function document(root: string, content: string): string {
  return `${xmlHead}<${root} xmlns="${xmlNamespace}">${content}</${root}>`;
}

export interface XmlNode {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlNode[];
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** Reads a request body. null: it is not well-formed, or has a character that XML 1.0 cannot carry. */
export function parseXml(body: string): XmlNode | null {
  // A document type could define entities; S3 refuses it, and so do we.
  if (body.includes('<!DOCTYPE') || hasForbiddenReference(body)) return null;
  if (XMLValidator.validate(body) !== true) return null;
  try {
    const roots = toNodes(parser.parse(body)).filter((node) => node.name !== '#text');
    return roots.length === 1 ? (roots[0] ?? null) : null;
  } catch {
    return null;
  }
}

function hasForbiddenReference(body: string): boolean {
  for (const match of body.matchAll(/&#(?:x([0-9a-f]+)|([0-9]+));/gi)) {
    const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
    const allowed =
      code === 9 ||
      code === 10 ||
      code === 13 ||
      (code >= 0x20 && code < 0xd800) ||
      (code >= 0xe000 && code < 0xfffe) ||
      (code >= 0x1_0000 && code <= 0x10_ffff);
    if (!allowed) return true;
  }
  return false;
}

function toNodes(parsed: unknown): XmlNode[] {
  if (!Array.isArray(parsed)) return [];
  const nodes: XmlNode[] = [];
  for (const item of parsed as Readonly<Record<string, unknown>>[]) {
    for (const [name, value] of Object.entries(item)) {
      if (name === ':@') continue;
      if (name === '#text') {
        nodes.push({ name, text: String(value), children: [] });
        continue;
      }
      const inner = toNodes(value);
      const children = inner.filter((node) => node.name !== '#text');
      const text = inner.map((node) => (node.name === '#text' ? node.text : '')).join('');
      nodes.push({ name, text, children });
    }
  }
  return nodes;
}

/** The child with that name, which may occur once: MalformedXML where it occurs twice; null where there is none. */
export function onlyChild(node: XmlNode, name: string): XmlNode | null {
  const found = node.children.filter((child) => child.name === name);
  if (found.length > 1) throw serviceError('MalformedXML');
  return found[0] ?? null;
}

/** The text of the child with that name, which may occur once; null where there is none. */
export function childText(node: XmlNode, name: string): string | null {
  return onlyChild(node, name)?.text ?? null;
}
