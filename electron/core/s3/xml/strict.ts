import type { X2jOptions } from 'fast-xml-parser';
import { decodeEntities } from './entities.ts';

/**
 * How the library is to read whatever comes: values stay text, untouched, nothing is dropped but the declaration, and a
 * character reference is decoded once or refused. The library's own decoder drops some and keeps to limits of its own.
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

/** Where a document declares its type or entities, which nothing here may do; -1 where it does not. */
export function declarationAt(text: string): number {
  return text.search(/<!(?:DOCTYPE|ENTITY)/i);
}
