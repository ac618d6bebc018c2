import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { protocolFailure } from '../model/s3-errors.ts';

type Decode = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

/** Decoders for the content codings of RFC 9110 (8.4.1), RFC 7932 and RFC 8878. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  // Some servers send deflate without a zlib header.
  deflate: (bytes, maxOutputLength) =>
    (bytes[0] ?? 0) % 16 === 8
      ? inflateSync(bytes, { maxOutputLength })
      : inflateRawSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
};

/** Returns true if the body is compressed, according to its header or first bytes. */
export function isCoded(contentEncoding: string | null, beginning: Uint8Array): boolean {
  return isGzip(beginning) || codingsOf(contentEncoding).length > 0;
}

/**
 * Decompresses XML, which some gateways compress despite `identity`. Returns plain XML unchanged, because some proxies decompress
 * the body but keep the header. Throws a protocol failure if the XML cannot be decompressed or is too long.
 */
export function decodedXml(
  bytes: Uint8Array,
  contentEncoding: string | null,
  limitBytes: number,
): Uint8Array {
  const named = codingsOf(contentEncoding);
  const codings = named.length === 0 && isGzip(bytes) ? ['gzip'] : named;
  if (codings.length === 0 || bytes.byteLength === 0 || isPlain(bytes)) return bytes;
  let decoded = bytes;
  for (const coding of codings.toReversed()) decoded = decodedBy(coding, decoded, limitBytes);
  return decoded;
}

function decodedBy(coding: string, bytes: Uint8Array, limitBytes: number): Uint8Array {
  const decode = decoders[coding];
  if (decode === undefined)
    throw protocolFailure(
      'bad-encoding',
      `The response is encoded as ${coding}, which Cooper does not support.`,
    );
  try {
    return decode(bytes, limitBytes);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw protocolFailure('too-big', `The response is larger than ${limitBytes} bytes and was not read.`);
    throw protocolFailure('cut-short', `The response is encoded as ${coding} and cannot be decoded.`, {
      retry: 'backoff',
    });
  }
}

/**
 * Returns the content codings in a header. Ignores `aws-chunked`, which some programs leave in the metadata and which encodes
 * nothing.
 */
export function codingsOf(contentEncoding: string | null): readonly string[] {
  return (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity' && coding !== 'aws-chunked');
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns true if the body starts like XML or JSON, after an optional byte order mark and white space. */
function isPlain(bytes: Uint8Array): boolean {
  return /^(?:\u00EF\u00BB\u00BF)?\s*[<{]/.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'));
}
