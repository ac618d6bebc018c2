import type { ProxyFault } from './fault-proxy.ts';

type FaultResponse = ProxyFault & { readonly kind: 'answer' };
const xml = { 'content-type': 'application/xml' };

/** Returns an S3 error document with this code. */
export function errorDocument(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>played ${code}</Message></Error>`;
}

/** Returns an S3 error response. `retryAfterSeconds` adds a Retry-After header. */
export function refusal(
  status: number,
  code: string,
  options: { readonly isApplied?: boolean; readonly retryAfterSeconds?: number } = {},
): FaultResponse {
  const { isApplied = false, retryAfterSeconds } = options;
  const headers =
    retryAfterSeconds === undefined ? xml : { ...xml, 'retry-after': String(retryAfterSeconds) };
  return { kind: 'answer', status, headers, body: errorDocument(code), isApplied };
}

/** Returns a response with status 200 and an error document as its body. */
export function okWithError(code: string, isApplied: boolean): FaultResponse {
  return {
    kind: 'answer',
    status: 200,
    headers: xml,
    body: `${' '.repeat(512)}${errorDocument(code)}`,
    isApplied,
  };
}

export function okEmpty(isApplied: boolean): FaultResponse {
  return { kind: 'answer', status: 200, body: '', isApplied };
}

/** Returns an HTML page, as a proxy sends it. */
export function html(status: number, isApplied: boolean): FaultResponse {
  const body = '<html><body>A page of a proxy</body></html>';
  return { kind: 'answer', status, headers: { 'content-type': 'text/html' }, body, isApplied };
}

/** A response that claims that CompleteMultipartUpload succeeded, although it was not carried out. */
export const hollowCompletion: FaultResponse = {
  kind: 'answer',
  status: 200,
  headers: xml,
  body: '<CompleteMultipartUploadResult><ETag>&quot;00000000000000000000000000000000-1&quot;</ETag></CompleteMultipartUploadResult>',
  isApplied: false,
};
