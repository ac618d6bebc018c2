import type { X2jOptions } from 'fast-xml-parser';
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
