import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startService, type Service } from '../../support/lab-service/server.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { hollowCompletion, html, okWithError, refusal } from '../../support/servers/fault-responses.ts';
import { startFaultProxy, type FaultProxy, type ProxyFault } from '../../support/servers/fault-proxy.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { bytesSource, errorOf } from '../../support/servers/s3-client.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { bytesOf, rigKeys, rushingClock, rushingDeps } from '../../support/core/uploads-rig.ts';

/** Tests the proxy on which other tests and the torture test rely: it follows its plan and counts only faults with an effect. */
const bucket = 'proxied';
const bytes = bytesOf(4000, 7);
let service: Service;
let proxy: FaultProxy;
let client: S3Client;

beforeAll(async () => {
  service = await startService({
    dataDir: removedAtExit('cooper-fault-proxy-'),
    credentials: [rigKeys],
    region: 'us-east-1',
    minPartBytes: 1024,
  });
  proxy = await startFaultProxy(service.endpoint, { fraction: () => 0.5 });
  const timeouts = { firstByteMs: 150, inactivityMs: 150 };
  client = realClient({ endpoint: proxy.endpoint, keys: rigKeys }, rushingDeps(rushingClock(), timeouts));
  await client.createBucket({ bucket });
  await client.putObject({ bucket, key: 'k', body: bytesSource(bytes) });
});

afterAll(async () => {
  await client.close();
  await proxy.close();
  await service.close();
});

beforeEach(() => {
  proxy.faults.clear();
  proxy.habits.clear();
  service.faults.clear();
});

async function read(range?: { readonly firstByte: number; readonly lastByte: number }): Promise<Buffer> {
  const { body } = await client.getObject(
    { bucket, key: 'k', ...(range === undefined ? {} : { range }) },
    { maxTries: 1 },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

const playedOf = (kind: ProxyFault['kind']): number => proxy.played.get(kind) ?? 0;

it('the fault proxy forwards everything unchanged without rules', async () => {
  expect(await read()).toEqual(bytes);
  expect(proxy.faults.count('GetObject')).toBe(1);
});

const broken: readonly (readonly [string, ProxyFault])[] = [
  ['lost before', { kind: 'lost', isApplied: false }],
  ['lost after', { kind: 'lost', isApplied: true }],
  ['cut by a reset', { kind: 'cut', bytes: 100 }],
  ['a 503', refusal(503, 'SlowDown', { retryAfterSeconds: 9 })],
  ['a 504', refusal(504, 'GatewayTimeout', { isApplied: true })],
  ["a proxy's page", html(502, false)],
  ['hanging', { kind: 'hang', isApplied: false }],
  ['a connection that breaks every 1000 bytes', { kind: 'break-each', bytes: 1000 }],
];

it.each(broken)('the fault proxy can spoil a response: %s', async (_name, action) => {
  const before = playedOf(action.kind);
  proxy.faults.add({ operation: 'GetObject', action });
  await expect(read()).rejects.toBeInstanceOf(AppFailure);
  expect(playedOf(action.kind)).toBe(before + 1);
  expect(service.faults.count('GetObject')).toBe('isApplied' in action && !action.isApplied ? 0 : 1);
  // The fault applied only to one request.
  expect(await read()).toEqual(bytes);
});

it('the fault proxy does not count a fault that changes nothing', async () => {
  const before = playedOf('cut');
  proxy.faults.add({ operation: 'GetObject', action: { kind: 'cut', bytes: 4000 } });
  expect(await read()).toEqual(bytes);
  expect(playedOf('cut')).toBe(before);
});

it('the fault proxy can omit the length, ignore the range and change a byte', async () => {
  proxy.habits.add({ times: Infinity, action: { kind: 'no-length' } });
  const unsigned = await fetch(`${proxy.endpoint}/${bucket}`);
  expect([unsigned.status, unsigned.headers.get('content-length')]).toEqual([403, null]);
  proxy.habits.clear();
  proxy.faults.add({ operation: 'GetObject', action: { kind: 'damage', atByte: 17 } });
  const damaged = await read();
  expect(damaged[17]).toBe((bytes[17] ?? 0) ^ 1);
  expect(damaged.byteLength).toBe(bytes.byteLength);
  proxy.faults.add({ operation: 'GetObject', action: { kind: 'ignore-range' } });
  expect((await errorOf(read({ firstByte: 0, lastByte: 9 }))).reason).toBe('range-ignored');
});

it('the fault proxy can end a response cleanly but early', async () => {
  proxy.faults.add({ operation: 'ListObjectsV2', action: { kind: 'cut', bytes: 60, isClean: true } });
  expect((await errorOf(client.listObjects({ bucket }, { maxTries: 1 }))).code).toBe('protocol');
});

it('the fault proxy can weaken ETags and refuse conditions', async () => {
  proxy.habits.add({ times: Infinity, action: { kind: 'weak-etags' } });
  const { etag } = await client.headObject({ bucket, key: 'k' });
  expect(etag).toMatch(/^W\/"/);
  const guarded = { bucket, key: 'k', ifMatch: etag ?? '' };
  expect((await errorOf(client.getObject(guarded))).s3?.status).toBe(412);
  proxy.habits.clear();
  proxy.habits.add({ times: Infinity, action: { kind: 'refuse-conditions' } });
  const body = bytesSource('x');
  const refused = await errorOf(client.putObject({ bucket, key: 'new', body, ifNoneMatch: '*' }));
  expect(refused.s3).toMatchObject({ status: 400, code: 'InvalidArgument' });
});

it('the fault proxy can fake success and failure of CompleteMultipartUpload', async () => {
  const ref = { bucket, key: 'mp' };
  const { uploadId } = await client.createMultipartUpload(ref);
  const { etag } = await client.uploadPart({ ...ref, uploadId, partNumber: 1, body: bytesSource('part') });
  const complete = { ...ref, uploadId, parts: [{ partNumber: 1, etag }] };
  proxy.faults.add({ operation: 'CompleteMultipartUpload', action: hollowCompletion });
  await client.completeMultipartUpload(complete);
  expect((await client.listParts({ ...ref, uploadId })).parts).toHaveLength(1);
  proxy.faults.add({ operation: 'CompleteMultipartUpload', action: refusal(404, 'NoSuchUpload') });
  expect((await errorOf(client.completeMultipartUpload(complete))).code).toBe('upload-gone');
  proxy.faults.add({ operation: 'CompleteMultipartUpload', action: okWithError('InternalError', true) });
  expect((await errorOf(client.completeMultipartUpload(complete))).outcome).toBe('unknown');
  expect((await client.headObject(ref)).sizeBytes).toBe(4);
});

it('the fault proxy can cut a request in its body', async () => {
  proxy.faults.add({ operation: 'PutObject', action: { kind: 'cut-request', bytes: 10 } });
  const body = bytesSource(bytes);
  const error = await errorOf(client.putObject({ bucket, key: 'cut', body }, { maxTries: 1 }));
  expect(error.code).toBe('network');
  expect((await errorOf(client.headObject({ bucket, key: 'cut' }))).code).toBe('not-found');
});

it('the fault proxy can fire by chance with a seed', async () => {
  const chance = 0.4;
  const rule = proxy.faults.add({ times: 9, chance, action: { kind: 'lost', isApplied: false } });
  expect(await read()).toEqual(bytes);
  expect([rule.seen, rule.fired]).toEqual([1, 0]);
  proxy.faults.add({ times: 9, chance: 0.6, action: refusal(500, 'InternalError') });
  expect((await errorOf(read())).code).toBe('server');
});
