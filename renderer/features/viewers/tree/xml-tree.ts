import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { leaf, moreNode, mostChildren, once, type TreeNode } from './tree-node.ts';

const textName = '#text';
const commentName = '#comment';
const cdataName = '#cdata';
const attributesName = ':@';

/** A character by its number, or one of the five that XML itself names (section 4.6). No other entity is looked up, so none grows. */
const reference = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-fA-F]{1,6})|(?<name>amp|lt|gt|quot|apos));/g;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** In the order of the document. */
const options = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  htmlEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  textNodeName: textName,
  commentPropName: commentName,
  cdataPropName: cdataName,
} as const;

/** One element as the parser gives it: its name is the one key besides the attributes. */
type Parsed = Readonly<Record<string, unknown>>;

/** The tree of a well-formed XML text; null for anything else. */
export function xmlTree(text: string): readonly TreeNode[] | null {
  try {
    if (XMLValidator.validate(text, { allowBooleanAttributes: false }) !== true) return null;
    const parsed: unknown = new XMLParser(options).parse(text);
    return Array.isArray(parsed) ? nodesOf(parsed as readonly Parsed[]) : null;
  } catch {
    // Too deep, or with declarations that the parser refuses: it is shown as text.
    return null;
  }
}

function nodesOf(parsed: readonly Parsed[]): readonly TreeNode[] {
  return parsed.flatMap(nodeOf);
}

function nodeOf(one: Parsed): readonly TreeNode[] {
  const name = Object.keys(one).find((key) => key !== attributesName) ?? '';
  const inside = one[name];
  if (name === textName) {
    const text = String(inside).trim();
    return text === '' ? [] : [leaf('', 'text', decoded(text))];
  }
  const parts = Array.isArray(inside) ? (inside as readonly Parsed[]) : [];
  if (name === commentName) return [leaf('', 'comment', plainText(parts))];
  if (name === cdataName) return [leaf('', 'text', plainText(parts))];
  return [elementOf(name, attributesOf(one), parts)];
}

function elementOf(name: string, attributes: readonly TreeNode[], parts: readonly Parsed[]): TreeNode {
  const meant = parts.filter((part) => !isSpace(part));
  const only = meant[0];
  // <a>text</a> is one row.
  if (attributes.length === 0 && meant.length === 1 && only !== undefined && textName in only)
    return leaf(name, 'element', decoded(textIn(only).trim()));
  const count = attributes.length + meant.length;
  const children = once(() => {
    const shown = nodesOf(meant.slice(0, mostChildren));
    const rest = meant.length - mostChildren;
    return [...attributes, ...shown, ...(rest > 0 ? [moreNode(rest)] : [])];
  });
  return { name, kind: 'element', text: '', count, children };
}

function attributesOf(one: Parsed): readonly TreeNode[] {
  const attributes = one[attributesName];
  if (typeof attributes !== 'object' || attributes === null) return [];
  return Object.entries(attributes).map(([name, value]) => leaf(name, 'attribute', decoded(String(value))));
}

function isSpace(part: Parsed): boolean {
  return textName in part && textIn(part).trim() === '';
}

function textIn(part: Parsed): string {
  const text = part[textName];
  return typeof text === 'string' ? text : '';
}

function plainText(parts: readonly Parsed[]): string {
  return parts
    .map((part) => textIn(part))
    .join('')
    .trim();
}

function decoded(text: string): string {
  return text.replaceAll(reference, (written: string, ...rest: readonly unknown[]) => {
    const { decimal, hex, name } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (name !== undefined) return named[name] ?? written;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
    return isCharacter ? String.fromCodePoint(code) : written;
  });
}
