import { SaxesParser } from 'saxes';
import { serviceError } from './service-errors.ts';
import { escapeXml } from './encoding.ts';

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const xmlNamespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Returns an element with escaped text; '' if the value is absent. */
export function element(name: string, value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  return `<${name}>${typeof value === 'number' ? value : escapeXml(value)}</${name}>`;
}

/** Returns a whole document in the namespace of S3. `content` must be XML. */
export function document(root: string, content: string): string {
  return `${xmlHead}<${root} xmlns="${xmlNamespace}">${content}</${root}>`;
}

/** An element of a request body. It has no namespaces and attributes, because no S3 request depends on them. */
export interface XmlNode {
  readonly name: string;
  /** The texts between the children, joined. */
  readonly text: string;
  readonly children: readonly XmlNode[];
}

/** The maximum number of elements, which is enough for 10,000 parts with a number, an ETag and five checksums each. */
const maxElements = 100_000;
const maxDepth = 16;
const maxAttributesPerElement = 16;

/**
 * Parses a request body as XML 1.0 with its five entities. Throws MalformedXML if it is malformed, has a document type, or has
 * more elements or attributes than any S3 request. These are counted while parsing, to limit memory.
 */
export function parseXml(body: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const open: OpenElement[] = [{ name: '', text: '', children: [] }];
  let elements = 0;
  let attributes = 0;
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('attribute', () => {
    if (++attributes > maxAttributesPerElement) refuse();
  });
  parser.on('opentag', ({ local }) => {
    attributes = 0;
    if (++elements > maxElements || open.length > maxDepth) refuse();
    open.push({ name: local, text: '', children: [] });
  });
  const addText = (text: string): void => {
    const current = open.at(-1);
    if (current !== undefined) current.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.children.push(closed);
  });
  parser.write(body).close();
  return open[0]?.children[0] ?? refuse();
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: OpenElement[];
}

function refuse(): never {
  throw serviceError('MalformedXML');
}

/** Parses a request body. Throws MalformedXML if the root has another name. */
export function parseRoot(body: string, name: string): XmlNode {
  const root = parseXml(body);
  return root.name === name ? root : refuse();
}

/** Throws MalformedXML if a child has another name than these, or if the element contains text. */
export function requireChildren({ text, children }: XmlNode, names: readonly string[]): void {
  if (text.trim() !== '' || children.some(({ name }) => !names.includes(name))) refuse();
}

/** Returns the child with that name; null if there is none. Throws MalformedXML if there are two. */
export function onlyChild(node: XmlNode, name: string): XmlNode | null {
  const found = node.children.filter((child) => child.name === name);
  return found.length > 1 ? refuse() : (found[0] ?? null);
}

/** Returns the text of the child with that name; null if there is none. Throws MalformedXML if there are two. */
export function childText(node: XmlNode, name: string): string | null {
  return onlyChild(node, name)?.text ?? null;
}

/** Parses the Tagging document of an object or bucket. Throws MalformedXML if it has another structure. */
export function readTagging(body: string): (readonly [name: string, value: string])[] {
  const root = parseRoot(body, 'Tagging');
  requireChildren(root, ['TagSet']);
  const set = onlyChild(root, 'TagSet');
  if (set === null) throw serviceError('MalformedXML');
  requireChildren(set, ['Tag']);
  return set.children.map(readTag);
}

/** Parses the Key and Value of a Tag element. Throws MalformedXML if one is missing or another child exists. */
export function readTag(tag: XmlNode): readonly [name: string, value: string] {
  requireChildren(tag, ['Key', 'Value']);
  const [name, value] = [childText(tag, 'Key'), childText(tag, 'Value')];
  if (name === null || value === null) throw serviceError('MalformedXML');
  return [name, value];
}
