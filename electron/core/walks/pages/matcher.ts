import { assertNever } from '../../../../shared/assert-never.ts';
import type { NamePattern, WalkQuery } from '../../../../shared/models/walks.ts';
import { parseTime } from '../../s3/xml/text.ts';
import { compileGlob } from './glob.ts';

export type Matcher = (
  key: string,
  sizeBytes: number,
  lastModified: string | null,
  storageClass: string | null,
) => boolean;

/** The storage class of listed objects for which the service names no class. */
export const ordinaryClass = 'STANDARD';

/**
 * Thrown for an invalid pattern. Not an AppFailure, because each page thread would have to load that module, which takes longer
 * than its work.
 */
export class BadPattern extends Error {}

/** Compiles a query to a function that tests one object. Throws BadPattern for an invalid pattern. */
export function compileQuery(query: WalkQuery, prefix: string): Matcher {
  const tests: Matcher[] = [];
  const { minSizeBytes, maxSizeBytes, modifiedFrom, modifiedBefore, storageClasses } = query;
  if (minSizeBytes !== null) tests.push((_key, sizeBytes) => sizeBytes >= minSizeBytes);
  if (maxSizeBytes !== null) tests.push((_key, sizeBytes) => sizeBytes <= maxSizeBytes);
  if (storageClasses !== null) {
    const classSet = new Set(storageClasses);
    tests.push((_key, _size, _modified, storageClass) => classSet.has(storageClass ?? ordinaryClass));
  }
  if (modifiedFrom !== null || modifiedBefore !== null) {
    const fromMs = modifiedFrom === null ? -Infinity : Date.parse(modifiedFrom);
    const beforeMs = modifiedBefore === null ? Infinity : Date.parse(modifiedBefore);
    tests.push((_key, _size, lastModified) => {
      const time = parseTime(lastModified);
      if (time === null) return false;
      const atMs = Date.parse(time);
      return atMs >= fromMs && atMs < beforeMs;
    });
  }
  // Tests the name last, since it is the most expensive.
  if (query.name !== null) tests.push(nameTest(query.name, prefix));
  return (key, sizeBytes, lastModified, storageClass) =>
    tests.every((test) => test(key, sizeBytes, lastModified, storageClass));
}

function nameTest(pattern: NamePattern, prefix: string): Matcher {
  const isPath = pattern.in === 'path' || (pattern.kind === 'glob' && pattern.text.includes('/'));
  const folded = !pattern.caseSensitive && pattern.kind !== 'regex';
  const fits = textTest(pattern, folded);
  return (key) => {
    const text = isPath ? key.slice(prefix.length) : nameOf(key);
    return fits(folded ? text.toLowerCase() : text);
  };
}

/** Returns the last segment of a key, without a trailing `/`. */
function nameOf(key: string): string {
  const end = key.endsWith('/') ? key.length - 1 : key.length;
  return key.slice(key.lastIndexOf('/', end - 1) + 1, end);
}

function textTest(pattern: NamePattern, folded: boolean): (text: string) => boolean {
  const patternText = folded ? pattern.text.toLowerCase() : pattern.text;
  switch (pattern.kind) {
    case 'contains':
      return (text) => text.includes(patternText);
    case 'glob':
      try {
        return compileGlob(patternText);
      } catch (thrown) {
        throw invalid('glob', thrown);
      }
    case 'regex': {
      const expression = expressionOf(patternText, pattern.caseSensitive ? '' : 'i');
      return (text) => expression.test(text);
    }
    default:
      return assertNever(pattern.kind);
  }
}

/** Compiles a regular expression in Unicode mode if possible. Escapes such as `\-` are valid only without that mode. */
function expressionOf(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (thrown) {
      throw invalid('regular expression', thrown);
    }
  }
}

function invalid(pattern: string, thrown: unknown): Error {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new BadPattern(`The ${pattern} cannot be read: ${why}.`);
}
