import { expect } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import { call, ok, elementText, rootOf, type Reply } from './harness.ts';

/** The object that the calls below are about. */
export const filmPath = '/bucket/film.bin';
const path = filmPath;

export async function begin(
  service: Service,
  headers: Record<string, string> = {},
  at = path,
): Promise<string> {
  service.store.buckets.create('bucket', 0);
  const reply = await call(service, { method: 'POST', path: at, query: { uploads: '' }, headers });
  expect(rootOf(reply.text)).toBe('InitiateMultipartUploadResult');
  return elementText(reply.text, 'UploadId') ?? '';
}

export async function send(
  service: Service,
  uploadId: string,
  partNumber: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<string> {
  const query = { partNumber: String(partNumber), uploadId };
  const reply = ok(await call(service, { method: 'PUT', path, query, body, headers }));
  return reply.headers.etag ?? '';
}

export type Listed = readonly [number: number | string, etag: string, further?: string];

export function partsXml(parts: readonly Listed[]): string {
  const xml = parts.map(
    ([number, etag, further]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag>${further ?? ''}</Part>`,
  );
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${xml.join('')}</CompleteMultipartUpload>`;
}

export function complete(
  service: Service,
  uploadId: string,
  parts: readonly Listed[] | string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = typeof parts === 'string' ? parts : partsXml(parts);
  return call(service, { method: 'POST', path, query: { uploadId }, body, headers });
}

export async function codeOf(reply: Promise<Reply>): Promise<[number, string | null]> {
  const { status, text } = await reply;
  return [status, elementText(text, 'Code')];
}
