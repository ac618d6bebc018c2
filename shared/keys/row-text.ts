/** An entry in a folder. Its text form has five fields, each ended by a bar. */
export interface TextRow {
  readonly key: string;
  /** Null for a common prefix. */
  readonly sizeBytes: number | null;
  /** NaN if unknown. */
  readonly modifiedMs: number;
  readonly etag: string | null;
  readonly storageClass: string | null;
}

/** Characters to escape: the bar, which ends a field, and those that JSON would escape, since the text is sent as JSON. */
// oxlint-disable-next-line no-control-regex -- control characters have to be replaced
const special = /[%|"\\\u0000-\u001f]/gu;
// oxlint-disable-next-line no-control-regex -- control characters have to be matched
const hasSpecial = /[%|"\\\u0000-\u001f]/u;
const code = /%([\da-f]{2})/gu;
/** The field of an empty text. An empty field means null. */
const empty = '%';
const fields = 5;

function fieldOf(text: string | null): string {
  if (text === null) return '';
  if (text === '') return empty;
  if (!hasSpecial.test(text)) return text;
  return text.replaceAll(special, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function textOf(field: string): string | null {
  if (field === '') return null;
  if (field === empty) return '';
  if (!field.includes('%')) return field;
  return field.replaceAll(code, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Writes an ETag without its quotes, which nearly all ETags have, and with a leading `=`. This saves escaping the quotes. */
function etagField(etag: string | null): string {
  if (etag !== null && etag.length > 1 && etag.startsWith('"') && etag.endsWith('"'))
    return `=${fieldOf(etag.slice(1, -1))}`;
  const field = fieldOf(etag);
  return field.startsWith('=') ? `%3d${field.slice(1)}` : field;
}

function etagOf(field: string): string | null {
  return field.startsWith('=') ? `"${textOf(field.slice(1)) ?? ''}"` : textOf(field);
}

/** Returns one row as text. */
export function rowText({ key, sizeBytes, modifiedMs, etag, storageClass }: TextRow): string {
  const size = sizeBytes === null ? '' : String(sizeBytes);
  const time = Number.isNaN(modifiedMs) ? '' : String(modifiedMs);
  return `${fieldOf(key)}|${size}|${time}|${etagField(etag)}|${fieldOf(storageClass)}|`;
}

/** Calls `take` for each row of a text. */
export function readRowText(text: string, take: (row: TextRow) => void): void {
  let from = 0;
  const next = (): string => {
    const end = text.indexOf('|', from);
    const field = text.slice(from, end);
    from = end + 1;
    return field;
  };
  while (from < text.length) {
    const key = textOf(next()) ?? '';
    const size = next();
    const time = next();
    take({
      key,
      sizeBytes: size === '' ? null : Number(size),
      modifiedMs: time === '' ? Number.NaN : Number(time),
      etag: etagOf(next()),
      storageClass: textOf(next()),
    });
  }
}

/** Returns the number of rows of a text. */
export function rowsIn(text: string): number {
  let bars = 0;
  for (let at = text.indexOf('|'); at !== -1; at = text.indexOf('|', at + 1)) bars += 1;
  return bars / fields;
}
