import { createHash, createHmac } from 'node:crypto';

/** A request to sign. This file implements Signature Version 4 a second time, from its documentation, to check the program's. */
export interface ReferenceRequest {
  readonly method: string;
  /** Raw and encoded, as in the request line. */
  readonly path: string;
  /** Raw and encoded, without the question mark. */
  readonly query: string;
  /** The headers to sign, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  /** YYYYMMDDTHHMMSSZ */
  readonly time: string;
  readonly region: string;
  readonly secretAccessKey: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest();

export function referenceSignature(request: ReferenceRequest): string {
  const names = Object.keys(request.headers).toSorted();
  const query = request.query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): readonly [string, string] => {
      const equals = pair.indexOf('=');
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    })
    // Sorts by name, then by value: `a` precedes `a%00`, although `a=` would follow `a%`.
    .toSorted((left, right) => order(left[0], right[0]) || order(left[1], right[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const canonical = [
    request.method,
    request.path,
    query,
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    request.payloadHash,
  ].join('\n');
  const date = request.time.slice(0, 8);
  const scope = `${date}/${request.region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.time, scope, sha256(canonical)].join('\n');
  const key = hmac(
    hmac(hmac(hmac(`AWS4${request.secretAccessKey}`, date), request.region), 's3'),
    'aws4_request',
  );
  return hmac(key, toSign).toString('hex');
}

/** Compares encoded texts. They are ASCII, so their code units are their bytes. */
function order(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
