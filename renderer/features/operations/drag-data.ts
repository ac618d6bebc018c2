import { bytesPath } from '../../../shared/session.ts';
import { nameOf, type Chosen, type OperationPlace } from './chosen.ts';

/** Marks dragged data as rows of this window. */
export const dragType = 'application/x-cooper-rows';

/** Returns true if rows of this window are dragged, and not, for example, files of the system. */
export function dragsRows({
  dataTransfer,
}: {
  readonly dataTransfer: Pick<DataTransfer, 'types'> | null;
}): boolean {
  return dataTransfer?.types.includes(dragType) === true;
}

/** The data that dragged rows offer to other programs. */
export interface DragData {
  readonly types: Readonly<Record<string, string>>;
  /** The object that the URL serves, once the window has registered it under this ticket. */
  readonly offer: { readonly key: string; readonly ticket: string } | null;
}

/**
 * Returns the addresses of all rows as text, and one object as a file. With `DownloadURL`, Chromium saves the object when it is
 * dropped on the desktop or in a system folder (Windows, macOS; one file per drag; no other browser). Not used in the desktop
 * app, whose main process refuses downloads by the page (electron/electron#11691).
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
  if (only === undefined || rows.length > 1 || only.kind !== 'object' || !isWebPage(origin))
    return { types, offer: null };
  const ticket = makeTicket();
  const address = new URL(bytesPath + ticket, origin).href;
  return {
    types: { ...types, DownloadURL: `application/octet-stream:${fileName(only)}:${address}` },
    offer: { key: only.key, ticket },
  };
}

/** Returns true for a page of the browser host. */
function isWebPage(address: string): boolean {
  return /^https?:/u.test(address);
}

function escaped(key: string): string {
  return key
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/');
}

/**
 * Replaces path separators, and colons, which would end the name in `DownloadURL`. The browser replaces other forbidden
 * characters.
 */
function fileName(row: Chosen): string {
  return nameOf(row).replaceAll(/[:/\\\p{Cc}]/gu, '_');
}

/** Returns a random ticket of 128 bits, which guards the object like a password. */
export function randomTicket(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The end of a drag, as the window's `dragend` event reports it. */
interface DragEnd {
  readonly clientX: number;
  readonly clientY: number;
  readonly dataTransfer: Pick<DataTransfer, 'dropEffect'> | null;
}

/** Returns true if a drag ended outside of the window and no program took anything. */
export function endedOutside(
  { clientX, clientY, dataTransfer }: DragEnd,
  { innerWidth, innerHeight }: Pick<Window, 'innerWidth' | 'innerHeight'>,
): boolean {
  const isInside = clientX >= 0 && clientY >= 0 && clientX < innerWidth && clientY < innerHeight;
  return dataTransfer?.dropEffect === 'none' && !isInside;
}
