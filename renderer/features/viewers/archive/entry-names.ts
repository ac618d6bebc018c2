import { detectEncoding, isUtf8 } from '../encoding/detect-encoding.ts';
import { decodePart, type TextEncoding } from '../encoding/text-encoding.ts';

/** The upper half of code page 437 (unicode.org, VENDORS/MICSFT/PC/CP437.TXT). */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
/** East Asian encodings used in archives. The library detects them by letter frequency. */
const eastAsian: ReadonlySet<TextEncoding> = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);

export type NameDecoder = (name: Uint8Array) => string;

/**
 * Creates a decoder for names whose encoding the archive does not state. Valid UTF-8 is decoded as UTF-8. The encoding of the
 * other names is detected from all of them, since one name is too short. `chosen`: the encoding that the user has set.
 */
export function nameDecoder(
  names: readonly Uint8Array[],
  format: 'zip' | 'tar',
  chosen: TextEncoding | null,
): NameDecoder {
  const unknown = names.filter((name) => !isUtf8(name));
  const decodeUnknown = chosen === null ? unknownDecoder(joined(unknown), format) : decoderOf(chosen);
  return (name) => (isUtf8(name) ? new TextDecoder().decode(name) : decodeUnknown(name));
}

function unknownDecoder(all: Uint8Array, format: 'zip' | 'tar'): NameDecoder {
  const found = detectEncoding(all).encoding;
  if (format === 'tar' || eastAsian.has(found)) return decoderOf(found);
  // MS-DOS and Windows wrote the names of entries in zip archives in their OEM code page.
  const high = all.filter((byte) => byte >= 0x80);
  const isDos = high.every((byte) => byte < 0xb0 || (byte >= 0xe0 && byte < 0xf2));
  const inRow = all.filter((byte, at) => byte >= 0x80 && (all[at - 1] ?? 0) >= 0x80);
  const isCyrillic = inRow.length * 2 > high.length;
  if (isCyrillic) return decoderOf(isDos ? 'ibm866' : found);
  return (name) =>
    Array.from(name, (byte) =>
      byte < 128 ? String.fromCharCode(byte) : (upperHalf[byte - 128] ?? '?'),
    ).join('');
}

function decoderOf(encoding: TextEncoding): NameDecoder {
  return (name) => decodePart(name, encoding);
}

function joined(names: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(names.slice(0, 1000).flatMap((name) => [...name, 0x0a]));
}

/** Device names of Windows, which cannot be file names there. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// oxlint-disable-next-line no-control-regex -- finds control characters
const forbidden = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns the file name for saving an entry: its last segment, without characters that separate folders, are invalid in file
 * names, or disguise the name (CVE-2021-42574).
 */
export function safeFileName(entryName: string): string {
  const segments = entryName.split(/[/\\]/).filter((segment) => segment !== '' && !/^\.+$/.test(segment));
  const last = (segments.at(-1) ?? '').toWellFormed().replaceAll(forbidden, '_');
  const trimmed = last.replace(/[. ]+$/, '').trim();
  if (trimmed === '' || /^_+$/.test(trimmed)) return 'entry';
  const named = deviceName.test(trimmed) ? `_${trimmed}` : trimmed;
  if (named.length <= 150) return named;
  const dot = named.lastIndexOf('.');
  const extension = dot > 0 && named.length - dot <= 20 ? named.slice(dot) : '';
  return named.slice(0, 150 - extension.length).toWellFormed() + extension;
}

/** Returns true if unpacking an entry of this name would write outside the target folder. */
export function escapesFolder(entryName: string): boolean {
  return /^[/\\]/.test(entryName) || /^[a-z]:/i.test(entryName) || entryName.split(/[/\\]/).includes('..');
}
