import { XMLParser, XMLValidator, type X2jOptions } from 'fast-xml-parser';
import { failure } from '../../../../shared/errors.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { quotableText } from '../model/redact.ts';
import { readPlainTree } from './plain-tree.ts';
import { decodeEntities } from './text.ts';

/**
 * Options of the XML library. Values are kept as texts, and the declaration is dropped. References are decoded elsewhere, because
 * the library drops some of them and has its own limits.
 */
export const strictOptions = {
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  maxNestedTags: 32,
  processEntities: { enabled: true },
  entityDecoder: {
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    reset: () => undefined,
    setXmlVersion: () => undefined,
    decode: decodeEntities,
  },
} satisfies X2jOptions;

/** Returns the offset of a DOCTYPE or ENTITY declaration, which is not allowed; -1 if there is none. */
export function declarationAt(text: string): number {
  return text.search(/<!(?:DOCTYPE|ENTITY)/i);
}

/**
 * The maximum number of attributes. A response has one for its namespace and two for each of up to a hundred grants of an ACL.
 */
const maxAttributes = 10_000;

/** Returns true if a text has more attributes than any valid response. Parsing it would take seconds. */
export function hasTooManyAttributes(text: string): boolean {
  let count = 0;
  let quote = 0;
  let isInTag = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isInTag) {
      const next = text.indexOf('<', at);
      if (next === -1) return false;
      const closing = closings.find(([opening]) => text.startsWith(opening, next))?.[1];
      const end = closing === undefined ? next : text.indexOf(closing, next);
      if (end === -1) return false;
      at = end;
      isInTag = closing === undefined;
    } else if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === doubleQuote || code === singleQuote) quote = code;
    else if (code === greaterThan) isInTag = false;
    else if (code === equalsSign && ++count > maxAttributes) return true;
  }
  return false;
}

/** Start and end of markup in which quotes have no meaning, because it has no attributes. */
const closings = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const doubleQuote = 34;
const singleQuote = 39;
const equalsSign = 61;
const greaterThan = 62;

export { parseTime } from './text.ts';

/** An element of a response, whose children are found by name. All values are texts. */
export class XmlElement {
  readonly name: string;
  readonly #content: unknown;

  constructor(name: string, content: unknown) {
    this.name = name;
    this.#content = content;
  }

  #named(name: string): readonly unknown[] {
    const content = this.#content;
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, name)) return [];
    const found: unknown = (content as Record<string, unknown>)[name];
    return Array.isArray(found) ? found : [found];
  }

  /** Returns all children with this name, in order. */
  all(name: string): readonly XmlElement[] {
    return this.#named(name).map((content) => new XmlElement(name, content));
  }

  first(name: string): XmlElement | null {
    const [content] = this.#named(name);
    return content === undefined ? null : new XmlElement(name, content);
  }

  /** The text of the element, not trimmed; '' if it is empty. */
  get text(): string {
    const content = this.#content;
    if (typeof content === 'string') return content;
    if (typeof content !== 'object' || content === null) return '';
    const text: unknown = (content as Record<string, unknown>)['#text'];
    return typeof text === 'string' ? text : '';
  }

  /** Returns the text of the first child with this name; null if there is none. */
  child(name: string): string | null {
    return this.first(name)?.text ?? null;
  }
}

const parser = new XMLParser({
  ...strictOptions,
  ignoreAttributes: true,
  removeNSPrefix: true,
  isArray: () => true,
  jPath: false,
});

/** Parses a response. Throws if it is truncated, contains a DTD or is not XML. The error quotes its beginning. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = textOf(bytes);
  const plain = readPlainTree(text);
  return plain === null ? parseWithLibrary(text) : new XmlElement(plain.name, plain.content);
}

/**
 * Parses a response with the library. Gives the same result for all XML that the fast parser accepts. Throws
 * `AppError('protocol')` for entity declarations, too many attributes, and incomplete XML.
 */
export function parseWithLibrary(text: string): XmlElement {
  refuseForeign(text);
  if (declarationAt(text) !== -1) {
    throw protocolFailure('xml-forbidden', 'The response declares XML entities, which S3 services never do.');
  }
  if (hasTooManyAttributes(text)) {
    throw protocolFailure(
      'unexpected-answer',
      'The XML of the response has more attributes than any S3 service writes.',
    );
  }
  const problem = XMLValidator.validate(text);
  if (problem !== true) {
    throw protocolFailure(
      'cut-short',
      `The XML of the response is truncated or damaged in line ${problem.err.line}.`,
      { retry: 'backoff' },
    );
  }
  return rootOf(parse(text), text);
}

function textOf(bytes: Uint8Array): string {
  try {
    // Services may send white space for minutes before the XML, which makes it malformed (arrow-rs-object-store#122).
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
  } catch {
    throw protocolFailure('unexpected-answer', 'The response is not UTF-8 text.');
  }
}

/** Throws if the text is a web page, which proxies, sign-in portals and web consoles send with status 200 (bun#37194). */
export function refuseForeign(text: string): void {
  const start = text.trimStart();
  if (/^(?:<!doctype\s+html|<html[\s>])/i.test(start)) {
    throw protocolFailure(
      'html',
      (quote) => `The response is a web page instead of XML. It begins: ${quote(text)}`,
    );
  }
  if (!start.startsWith('<')) {
    throw protocolFailure(
      'unexpected-answer',
      start === ''
        ? 'The response is empty.'
        : (quote) => `The response is not XML. It begins: ${quote(text)}`,
      { retry: start === '' ? 'backoff' : 'after-fix' },
    );
  }
}

function parse(text: string): unknown {
  try {
    return parser.parse(text);
  } catch (error) {
    // A SyntaxError comes from text.ts and quotes the response. The library's errors are not meant for users.
    throw protocolFailure(
      'unexpected-answer',
      (quote) =>
        `The XML of the response cannot be read${error instanceof SyntaxError ? ` (${quote(error.message)})` : ''}.`,
      { cause: error },
    );
  }
}

function rootOf(document: unknown, text: string): XmlElement {
  const roots = Object.entries(document as Record<string, unknown>).filter(([name]) => name !== '#text');
  const [root] = roots;
  const contents = root?.[1];
  if (root === undefined || roots.length !== 1 || !Array.isArray(contents) || contents.length !== 1) {
    throw protocolFailure(
      'unexpected-answer',
      (quote) => `The response is not exactly one XML element. It begins: ${quote(text)}`,
    );
  }
  return new XmlElement(root[0], contents[0]);
}

/** Returns the root. Throws if it does not have the expected name. */
export function expectRoot(root: XmlElement, name: string, bytes: Uint8Array): XmlElement {
  if (root.name === name) return root;
  const beginning = quotableText(bytes);
  refuseForeign(beginning);
  // To a GET with an unknown parameter, a service responds with a listing of the bucket. No other request returns one.
  const isOfGet = !name.endsWith('Result') || name.startsWith('List');
  if (root.name === 'ListBucketResult' && name !== 'ListAllMyBucketsResult' && isOfGet)
    throw failure('unsupported', `The service listed the bucket instead of returning "${name}".`, {
      reason: 'not-implemented',
    });
  throw protocolFailure(
    'unexpected-answer',
    (quote) =>
      `"${name}" was expected, but "${quote(root.name, 100)}" was received. The response begins: ${quote(beginning)}`,
  );
}

/** Parses a non-negative whole number. Throws `AppError('protocol')` for other texts and numbers that are too large. */
export function parseCount(text: string | null, name: string): number {
  const digits = text?.trim() ?? '';
  const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw protocolFailure(
    'unexpected-answer',
    (quote) => `${name} in the response is not a number: "${quote(digits, 40)}"`,
  );
}

export function parseFlag(text: string | null): boolean {
  return text?.trim().toLowerCase() === 'true';
}

/** Returns the text; null if it is missing or empty. */
export function textOrNull(text: string | null): string | null {
  return text === null || text === '' ? null : text;
}
