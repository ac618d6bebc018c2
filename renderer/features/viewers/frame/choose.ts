import type { ViewerFacts, ViewerFiles, Viewer } from './viewer.ts';

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
