import { bytesPath } from '../../../shared/session.ts';
import { nameOf, type Chosen, type OperationPlace } from './chosen.ts';

/** The data that other programs get from dragged rows. */
export interface DragData {
  readonly types: Readonly<Record<string, string>>;
  /** The one object that the address among them gives, once it was offered under this ticket. */
  readonly offer: { readonly key: string; readonly ticket: string } | null;
}

/**
 * The addresses of all rows as text, and of one object a file: by `DownloadURL`, Chromium saves what is dropped on the
 * desktop or a folder of the system (Windows, macOS; one file a drag, and no other browser knows it).
 */
export function dragData(
  { bucket }: OperationPlace,
  rows: readonly Chosen[],
  origin: string,
  makeTicket: () => string,
): DragData {
  const types: Record<string, string> = {
    'text/uri-list': rows.map(({ key }) => `s3://${bucket}/${escaped(key)}`).join('\r\n'),
    'text/plain': rows.map(({ key }) => `s3://${bucket}/${key}`).join('\n'),
  };
  const [only] = rows;
  if (only === undefined || rows.length > 1 || only.kind !== 'object') return { types, offer: null };
  const ticket = makeTicket();
  const address = new URL(bytesPath + ticket, origin).href;
  return {
    types: { ...types, DownloadURL: `application/octet-stream:${fileName(only)}:${address}` },
    offer: { key: only.key, ticket },
  };
}

function escaped(key: string): string {
  return key
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}

/** Replaces colons, which would end the name here, and path separators; the browser removes other forbidden characters. */
function fileName(row: Chosen): string {
  return nameOf(row).replaceAll(/[:/\\\p{Cc}]/gu, '_');
}

/** 128 bits: as good as a password for the object. */
export function randomTicket(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
