import type { TFunction } from 'i18next';
import type { Chosen } from './chosen.ts';

export const maxKeyBytes = 1024;

export type NameProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'emptyPart' }
  | { readonly kind: 'slash' }
  | { readonly kind: 'same' }
  | { readonly kind: 'folderExists' }
  | { readonly kind: 'objectExists' }
  | { readonly kind: 'tooLong'; readonly bytes: number; readonly limit: number };

/** Returns true if a row of this kind and key is known to exist. */
export type RowExists = (kind: Chosen['kind'], key: string) => boolean;

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

function lengthProblem(name: string, folder: string, isFolder: boolean): NameProblem | null {
  const limit = maxKeyBytes - bytesOf(folder) - (isFolder ? 1 : 0);
  const bytes = bytesOf(name);
  return bytes > limit ? { kind: 'tooLong', bytes, limit } : null;
}

/** Returns the folders that a typed path creates, outermost first. Ignores a trailing slash. */
export function folderParts(typed: string): readonly string[] {
  return withoutTrailingSlash(typed).split('/');
}

export function withoutTrailingSlash(typed: string): string {
  return typed.endsWith('/') ? typed.slice(0, -1) : typed;
}

/** Returns the problem with the name or path of a new folder, or null. */
export function newFolderProblem(typed: string, folder: string, has: RowExists): NameProblem | null {
  const name = withoutTrailingSlash(typed);
  if (name === '') return { kind: 'empty' };
  if (folderParts(typed).includes('')) return { kind: 'emptyPart' };
  if (has('folder', `${folder}${name}/`)) return { kind: 'folderExists' };
  return lengthProblem(name, folder, true);
}

/** Returns the problem with a new name for a row or its copy, or null. */
export function newNameProblem(
  name: string,
  row: Chosen,
  folder: string,
  has: RowExists,
): NameProblem | null {
  const isFolder = row.kind === 'folder';
  if (name === '') return { kind: 'empty' };
  if (name.includes('/')) return { kind: 'slash' };
  const key = `${folder}${name}${isFolder ? '/' : ''}`;
  if (key === row.key) return { kind: 'same' };
  if (has(row.kind, key)) return { kind: isFolder ? 'folderExists' : 'objectExists' };
  return lengthProblem(name, folder, isFolder);
}

/** Returns the length of a name without its extension, which is the part that a name field selects. */
export function stemLength(name: string, isFolder: boolean): number {
  const dot = name.lastIndexOf('.');
  return isFolder || dot <= 0 ? name.length : dot;
}

/** Returns the first free name among "photo copy.jpg", "photo copy 2.jpg", … */
export function copyName(
  name: string,
  isFolder: boolean,
  word: (stem: string, number: number) => string,
  isTaken: (name: string) => boolean,
): string {
  const cut = stemLength(name, isFolder);
  for (let number = 1; ; number += 1) {
    const free = word(name.slice(0, cut), number) + name.slice(cut);
    if (!isTaken(free)) return free;
  }
}

interface LineBreakConversion {
  readonly display: (name: string) => string;
  readonly parse: (typed: string) => string;
}

const standIns = [
  ['\n', '\u240A'],
  ['\r', '\u240D'],
] as const;

/**
 * Returns conversions between a name with line breaks, which a single-line field would drop, and its form with substitutes. Null
 * if the name has no line breaks, or contains a substitute itself.
 */
export function lineBreakConversionOf(name: string): LineBreakConversion | null {
  if (!/[\n\r]/.test(name) || /[\u240A\u240D]/.test(name)) return null;
  return {
    display: (realName) =>
      standIns.reduce((text, [real, standIn]) => text.replaceAll(real, standIn), realName),
    parse: (typed) => standIns.reduce((text, [real, standIn]) => text.replaceAll(standIn, real), typed),
  };
}

export function nameProblemText(problem: NameProblem, t: TFunction): string {
  return problem.kind === 'tooLong'
    ? t('operations.name.tooLong', { limit: problem.limit, bytes: problem.bytes })
    : t(`operations.name.${problem.kind}`);
}

/** Returns hints about a valid name: spaces at its ends, which few programs show, or signs that replace line breaks. Null without hints. */
export function nameNotes(name: string, hasStandIns: boolean, t: TFunction): string | null {
  const notes = [
    name !== name.trim() ? t('operations.name.edges') : null,
    hasStandIns ? t('operations.name.lineBreaks') : null,
  ].filter((text) => text !== null);
  return notes.length === 0 ? null : notes.join(' ');
}
