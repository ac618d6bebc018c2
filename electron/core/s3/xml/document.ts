import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { escapeXml } from './render.ts';
import { declarationAt, hasTooManyAttributes, strictOptions } from './parse.ts';

/** An element of a document that the user may edit. Preserves order, attributes and name prefixes. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** The unchanged text of an element without children; '' for other elements. */
  readonly text: string;
  /** The line on which the element starts, counted from 1. */
  readonly line: number;
}

export interface XmlProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type XmlReading =
  { readonly ok: true; readonly root: XmlNode } | { readonly ok: false; readonly problem: XmlProblem };

const parser = new XMLParser({
  ...strictOptions,
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  captureMetaData: true,
});

const attributesKey = ':@';
const textKey = '#text';
// The library declares the object type Symbol, but the value is a primitive symbol.
const metaData = XMLParser.getMetaDataSymbol() as unknown as symbol;

function wrong(message: string, line = 1, column = 1): XmlReading {
  return { ok: false, problem: { line, column, message } };
}

/**
 * Parses a document that the user may edit, preserving the order of all nodes. Returns the first mistake with its line. Responses
 * that are only read are parsed by parse.ts, which is faster.
 */
export function readDocument(text: string): XmlReading {
  if (text.trim() === '') return wrong('There is nothing here.');
  const declaredAt = declarationAt(text);
  if (declaredAt !== -1) return wrong('A document type is not allowed.', lineAt(text, declaredAt));
  if (hasTooManyAttributes(text)) return wrong('There are too many attributes.');
  const valid = XMLValidator.validate(text);
  if (valid !== true) return wrong(valid.err.msg, valid.err.line, valid.err.col);
  try {
    const nodes = toNodes(parser.parse(text), text);
    const [root] = nodes.elements;
    if (root === undefined || nodes.elements.length !== 1) return wrong('There has to be one outer element.');
    return { ok: true, root };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

function toNodes(
  parsed: unknown,
  source: string,
): { readonly elements: readonly XmlNode[]; readonly text: string } {
  const elements: XmlNode[] = [];
  let text = '';
  for (const item of Array.isArray(parsed) ? (parsed as readonly Record<PropertyKey, unknown>[]) : []) {
    for (const [name, value] of Object.entries(item)) {
      if (name === attributesKey) continue;
      if (name === textKey) {
        text += String(value);
        continue;
      }
      const inner = toNodes(value, source);
      const meta = item[metaData] as { readonly startIndex?: number } | undefined;
      elements.push({
        name,
        attributes: (item[attributesKey] ?? {}) as Record<string, string>,
        children: inner.elements,
        text: inner.elements.length === 0 ? inner.text : '',
        line: lineAt(source, meta?.startIndex ?? 0),
      });
    }
  }
  return { elements, text };
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/**
 * Prints a document for the user to edit, with one element per line. Throws `AppError('invalid-argument')` if a text contains
 * characters that XML cannot contain.
 */
export function printDocument(root: XmlNode): string {
  return `${printNode(root, '')}\n`;
}

/**
 * Prints an element with its children. Throws `AppError('invalid-argument')` if a text contains characters that XML cannot
 * contain.
 */
export function printNode(node: XmlNode, indent: string): string {
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
  const open = `${indent}<${node.name}${attributes}`;
  if (node.children.length > 0) {
    const inner = node.children.map((child) => printNode(child, `${indent}  `)).join('\n');
    return `${open}>\n${inner}\n${indent}</${node.name}>`;
  }
  return node.text === '' ? `${open}/>` : `${open}>${escapeXml(node.text)}</${node.name}>`;
}

/** Returns an element's name without the prefix, because services write namespaces differently. */
export function localName(node: XmlNode): string {
  return node.name.slice(node.name.indexOf(':') + 1);
}

/** Returns the children with this name; none for a missing element. */
export function childrenNamed(node: XmlNode | null, name: string): readonly XmlNode[] {
  return node?.children.filter((child) => localName(child) === name) ?? [];
}

export function childNamed(node: XmlNode | null, name: string): XmlNode | null {
  return childrenNamed(node, name)[0] ?? null;
}

/** Returns the untrimmed text of a child, because blanks may belong to it. */
export function exactText(node: XmlNode | null, name: string): string {
  return childNamed(node, name)?.text ?? '';
}

/** Returns the trimmed text of a child; null if there is no such child. */
export function childText(node: XmlNode | null, name: string): string | null {
  return childNamed(node, name)?.text.trim() ?? null;
}

/** Parses a document that is well-formed; returns null for any other text. */
export function rootOf(text: string): XmlNode | null {
  const reading = readDocument(text);
  return reading.ok ? reading.root : null;
}

/** Returns true if the element has only children with these names. A name that ends with `*` may occur several times. */
export function holdsOnly(node: XmlNode, names: readonly string[]): boolean {
  const known = new Map(names.map((name) => [name.replace('*', ''), name.endsWith('*')]));
  const seen = new Set<string>();
  for (const child of node.children) {
    const name = localName(child);
    const mayRepeat = known.get(name);
    if (mayRepeat === undefined || (!mayRepeat && seen.has(name))) return false;
    seen.add(name);
  }
  return true;
}

/** Creates an element to print. Children that are null are left out. */
export function element(name: string, content: string | readonly (XmlNode | null)[]): XmlNode {
  const isText = typeof content === 'string';
  return {
    name,
    attributes: {},
    children: isText ? [] : content.filter((child) => child !== null),
    text: isText ? content : '',
    line: 0,
  };
}

/** Creates a root element in the S3 API's namespace. */
export function rootElement(name: string, children: readonly (XmlNode | null)[]): XmlNode {
  return { ...element(name, children), attributes: { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' } };
}
