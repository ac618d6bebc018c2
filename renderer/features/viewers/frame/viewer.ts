import type { ComponentType } from 'react';
import type { ObjectRef } from '../../../../shared/models/objects.ts';
import type { RangeSource } from './range-source.ts';

/** The shown content: an object, or an entry inside one. */
export interface ViewedFile {
  /** The last segment of the key, or the name of the entry. */
  readonly name: string;
  readonly contentType: string | null;
  /** The Content-Encoding, or null if the bytes are not encoded. */
  readonly contentEncoding: string | null;
  readonly source: RangeSource;
  /** The object, or null for content inside an object. */
  readonly object: ViewedObject | null;
}

export interface ViewedObject {
  readonly ref: ObjectRef;
  readonly etag: string | null;
  /** Checks that the object is still the shown version; otherwise replaces it with the new one. One request. */
  readonly refresh: () => Promise<void>;
  /** State that a viewer keeps when another version replaces the shown one. */
  readonly memory: Map<string, unknown>;
  /** The address for the browser's media player, which reads by ranges. Null if the browser does not play this type. */
  readonly media: MediaAddress | null;
}

export interface MediaAddress {
  /** Returns the address, which is valid for some minutes after its last use. */
  readonly now: () => string;
  /** Gets a new address for the same version. Throws if the object has changed. */
  readonly renew: () => Promise<string>;
}

/** The facts by which a viewer is chosen. */
interface ViewerFacts {
  /** In lower case. */
  readonly name: string;
  /** The type without parameters, in lower case, or '' for a type without information. */
  readonly type: string;
  readonly encoding: string | null;
  /** The first bytes of the file (`sniffedBytes` of them, or all), or null before they are needed. */
  readonly head: Uint8Array | null;
}

/** The files that a viewer opens. The registry uses the first viewer that matches. */
interface ViewerFiles {
  readonly types?: readonly (string | RegExp)[];
  /** Without the dot: `png`, `tar.gz`. */
  readonly extensions?: readonly string[];
  /** Whole names in lower case: `dockerfile`, `app.log.1`. */
  readonly names?: RegExp;
  /** Fallback for unknown types and extensions. */
  readonly startsWith?: (head: Uint8Array) => boolean;
  /** True if the viewer decodes Content-Encoding, or says why it cannot. */
  readonly undoesCodings?: true;
}

export type ViewerLimit =
  /** Reads only what is visible. */
  | { readonly kind: 'none' }
  /** Needs all bytes, up to the size in the user's settings. */
  | { readonly kind: 'settings' }
  | { readonly kind: 'bytes'; readonly sizeBytes: number }
  /** Opens files of any size, and shows this much of their beginning. */
  | { readonly kind: 'first'; readonly sizeBytes: number };

export interface ViewerProps {
  readonly file: ViewedFile;
}

/** A viewer for one kind of content, in its own file. The component is loaded on first use. */
export interface Viewer {
  readonly id: string;
  readonly opens: ViewerFiles;
  readonly limit: ViewerLimit;
  /** True for a text format that the file's name suggests. Such a viewer takes precedence over the type `text/plain`. */
  readonly isText?: boolean;
  readonly component: ComponentType<ViewerProps>;
}

/** Enough for the signatures of all formats, and to tell text from other content. */
export const sniffedBytes = 4096;

/** Types without information, which uploaders send for unknown content. */
const vagueTypes: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'application/force-download',
  'application/unknown',
]);

/** Returns the facts known before the file is read. */
export function viewerFactsOf(
  name: string,
  contentType: string | null,
  encoding: string | null,
): ViewerFacts {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { name: name.toLowerCase(), type: vagueTypes.has(type) ? '' : type, encoding, head: null };
}

/** Returns the codings of Content-Encoding, in the order they were applied. */
export function codingsOf(contentEncoding: string | null): readonly string[] {
  return contentEncoding === null ? [] : contentEncoding.split(', ');
}

/**
 * Returns the viewer for a file: by its type, unless that is vague or `text/plain`; by its name; by its first bytes, if they
 * were read. Returns null if none matches.
 */
export function chooseViewer<V extends Pick<Viewer, 'opens' | 'isText'>>(
  viewers: readonly V[],
  clue: ViewerFacts,
): V | null {
  const { encoding, head } = clue;
  // Type and name describe the decoded content, so only a viewer that decodes Content-Encoding can match.
  if (encoding !== null) return viewers.find(({ opens }) => opens.undoesCodings === true) ?? null;
  const byName = viewers.find(({ opens }) => fitsName(opens, clue.name)) ?? null;
  const byType = clue.type === '' ? null : (viewers.find(({ opens }) => fitsType(opens, clue.type)) ?? null);
  if (byType !== null) {
    const isPlain = clue.type === 'text/plain' || clue.type === 'application/xml' || clue.type === 'text/xml';
    return isPlain && byName?.isText === true ? byName : byType;
  }
  if (byName !== null) return byName;
  return head === null ? null : (viewers.find(({ opens }) => opens.startsWith?.(head) === true) ?? null);
}

function fitsType({ types = [] }: ViewerFiles, type: string): boolean {
  return types.some((pattern) => (typeof pattern === 'string' ? pattern === type : pattern.test(type)));
}

function fitsName({ extensions = [], names }: ViewerFiles, name: string): boolean {
  return extensions.some((extension) => name.endsWith(`.${extension}`)) || names?.test(name) === true;
}

/** Returns true if the bytes at `at` match the mark, written in characters up to U+00FF. A `?` matches any byte. */
export function beginsWith(head: Uint8Array, mark: string, at = 0): boolean {
  if (head.length < at + mark.length) return false;
  for (let index = 0; index < mark.length; index += 1)
    if (mark[index] !== '?' && head[at + index] !== mark.charCodeAt(index)) return false;
  return true;
}
