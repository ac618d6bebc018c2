import { expect } from 'vitest';
import type { Service, ServiceOptions } from '../../../support/lab-service/server.ts';
import { smallObject } from '../../../../electron/service/store/blobs.ts';
import { begin, complete, send, type Listed } from '../../../unit/service/multipart-calls.ts';
import { bucketWith, call, ok, elementText, serve, type Reply } from '../../../unit/service/harness.ts';

/** Parts may be of any size. */
export const tiny = { minPartBytes: 1 };

/** Starts a service with a bucket `bucket` that contains objects with these keys. Each object's content is its key. */
export async function holding(
  keys: readonly string[],
  options: Partial<ServiceOptions> = tiny,
): Promise<Service> {
  const service = await serve(options);
  await bucketWith(service, keys);
  return service;
}

/** Like `holding`, for many keys: writes them to the store directly instead of sending each. */
export async function holdingMany(keys: readonly string[]): Promise<Service> {
  const service = await holding([]);
  const bucketId = service.store.buckets.get('bucket')?.id ?? 0;
  service.store.putObjects(
    bucketId,
    keys.map((key) => [key, smallObject(Buffer.of(1), { modifiedMs: 0 })] as const),
  );
  return service;
}

/** Returns the body of a ListObjectsV2 response. */
export async function v2(service: Service, query: Readonly<Record<string, string>> = {}): Promise<string> {
  return ok(await call(service, { path: '/bucket', query: { 'list-type': '2', ...query } })).text;
}

/** Returns the body of a ListObjects (V1) response. */
export async function v1(service: Service, query: Readonly<Record<string, string>> = {}): Promise<string> {
  return ok(await call(service, { path: '/bucket', query })).text;
}

/** Returns a reply's status and error code. */
export async function refusal(reply: Promise<Reply>): Promise<[number, string | null]> {
  const { status, text } = await reply;
  return [status, elementText(text, 'Code')];
}

/** Returns the names of an element's children, each once, in document order. */
export function childrenOf(xml: string, name: string): string[] {
  const inner = new RegExp(`<${name}[^>]*>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '';
  const names: string[] = [];
  let rest = inner;
  for (
    let found = /^\s*<([A-Za-z0-9]+)/.exec(rest);
    found !== null;
    found = /^\s*<([A-Za-z0-9]+)/.exec(rest)
  ) {
    const child = found[1] ?? '';
    if (!names.includes(child)) names.push(child);
    const end = rest.indexOf(`</${child}>`);
    const empty = new RegExp(`^\\s*<${child}\\s*/>`).exec(rest);
    rest = empty === null ? rest.slice(end + child.length + 3) : rest.slice(empty[0].length);
  }
  return names;
}

export interface SentUpload {
  readonly service: Service;
  readonly uploadId: string;
  readonly parts: readonly Listed[];
}

/** Creates an upload of /bucket/film.bin and sends these parts, the last one first. */
export async function sentUpload(
  bodies: readonly string[] = ['one ', 'two ', 'three'],
  headers: Readonly<Record<string, string>> = {},
  options: Partial<ServiceOptions> = tiny,
): Promise<SentUpload> {
  const service = await serve(options);
  const uploadId = await begin(service, { ...headers });
  const etags = new Map<number, string>();
  for (const [index, body] of [...bodies.entries()].toReversed()) {
    etags.set(index + 1, await send(service, uploadId, index + 1, body));
  }
  return { service, uploadId, parts: bodies.map((_, index) => [index + 1, etags.get(index + 1) ?? '']) };
}

/** Creates and completes such an upload. Returns it with the response of CompleteMultipartUpload. */
export async function completed(bodies?: readonly string[]): Promise<SentUpload & { readonly reply: Reply }> {
  const upload = await sentUpload(bodies);
  const reply = await complete(upload.service, upload.uploadId, upload.parts);
  expect(reply.status).toBe(200);
  return { ...upload, reply };
}

/** Reads a listing to its end and returns its pages. `next` names the element to send as `parameter` for the next page. */
export async function pages(
  ask: (further: Readonly<Record<string, string>>) => Promise<string>,
  parameter: string,
  next: string,
): Promise<readonly string[]> {
  const responses: string[] = [];
  let further: Readonly<Record<string, string>> = {};
  for (;;) {
    const answer = await ask(further);
    responses.push(answer);
    if (elementText(answer, 'IsTruncated') === 'false') return responses;
    further = { [parameter]: elementText(answer, next) ?? '' };
  }
}
