import { Readable } from 'node:stream';
import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBytesRoute, responseDisposition } from '../../../../electron/core/bytes/bytes-route.ts';
import { readRange } from '../../../../electron/core/bytes/bytes-route.ts';
import { createTickets, type Ticketed } from '../../../../electron/core/bytes/tickets.ts';
import { ConditionMemory } from '../../../../electron/core/s3/model/condition-memory.ts';
import type { GetObjectInput } from '../../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { failure, type AppFailure } from '../../../../shared/errors.ts';
import { bytesErrorHeader } from '../../../../shared/session.ts';
import { manualClock, recordingLogger } from '../../../support/core/fake-ports.ts';
import { textOf } from '../../../support/servers/s3-client.ts';

const content = Buffer.from('0123456789');
const minute = 60_000;

const ticketed: Ticketed = {
  ref: { connectionId: 'c', bucket: 'b', key: 'dir/a.txt' },
  etag: '"e"',
  sizeBytes: content.byteLength,
  shownAs: 'video/mp4',
};

function route(refuse: AppFailure | null = null) {
  const clock = manualClock();
  const tickets = createTickets(clock);
  const asked: GetObjectInput[] = [];
  const client: Pick<S3Client, 'conditions' | 'getObject' | 'headObject'> = {
    conditions: new ConditionMemory(),
    headObject: () => Promise.reject(failure('not-found', 'gone', { reason: 'no-such-key' })),
    getObject: (input) => {
      asked.push(input);
      if (refuse !== null) return Promise.reject(refuse);
      const { firstByte, lastByte } = input.range ?? { firstByte: 0, lastByte: content.byteLength - 1 };
      const body = Readable.from([content.subarray(firstByte, lastByte + 1)]);
      return Promise.resolve({
        body,
        read: () => Promise.reject(new Error('The route wants a stream.')),
        contentRange: null,
        sizeBytes: content.byteLength,
        etag: '"e"',
        lastModified: null,
        contentType: 'text/html',
        storageClass: null,
        versionId: null,
        metadata: {},
        headers: { 'content-type': 'text/html' },
      });
    },
  };
  const bytes = createBytesRoute({
    tickets,
    client: () => Promise.resolve(client as S3Client),
    logger: recordingLogger(),
    dropped: { take: () => Promise.reject(new Error('Nothing is put in these tests.')) },
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    bytes.handle({ method, path, headers });
  return { clock, tickets, asked, get };
}

describe('the bytes route', () => {
  test("serves an object with the type chosen by the core, not with the object's own", async () => {
    const { tickets, asked, get } = route();
    const reply = await get(tickets.issue(ticketed));
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
    });
    expect(reply.body && (await textOf(reply.body))).toBe('0123456789');
    expect(asked).toEqual([{ bucket: 'b', key: 'dir/a.txt', ifMatch: '"e"', sizeBytes: 10 }]);
  });

  test('sends headers against scripts, sniffing and caching with every response, also with errors', async () => {
    const { tickets, get } = route(failure('access-denied', 'no'));
    for (const path of [tickets.issue(ticketed), '/bytes/unknown']) {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/^sandbox; default-src 'none'; script-src 'none'/);
      expect(policy).not.toMatch(/allow-scripts|unsafe-eval|script-src [^;]*'unsafe-inline'/);
    }
  });

  test('requests a range of the same object version from the service', async () => {
    const { tickets, asked, get } = route();
    const reply = await get(tickets.issue(ticketed), { range: 'bytes=2-4' });
    expect(reply.status).toBe(206);
    expect(reply.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' });
    expect(reply.body && (await textOf(reply.body))).toBe('234');
    expect(asked[0]).toMatchObject({ range: { firstByte: 2, lastByte: 4 }, ifMatch: '"e"' });
  });

  test.each([
    ['bytes=0-', 'bytes 0-9/10', '0123456789'],
    ['bytes=7-', 'bytes 7-9/10', '789'],
    ['bytes=-2', 'bytes 8-9/10', '89'],
    ['bytes=8-99', 'bytes 8-9/10', '89'],
  ])('serves the range %s with 206 and its Content-Range', async (range, contentRange, content) => {
    const { tickets, get } = route();
    const reply = await get(tickets.issue(ticketed), { range });
    expect(reply.status).toBe(206);
    expect(reply.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
    });
    expect(reply.body && (await textOf(reply.body))).toBe(content);
  });

  test('responds 416 to a range that starts after the end', async () => {
    const { tickets, get } = route();
    const reply = await get(tickets.issue(ticketed), { range: 'bytes=10-' });
    expect(reply.status).toBe(416);
    expect(reply.headers['content-range']).toBe('bytes */10');
  });

  test('refuses an object whose size has changed, also without an ETag to match', async () => {
    const { tickets, get } = route();
    const before: Ticketed = { ...ticketed, etag: null, sizeBytes: 11 };
    expect((await get(tickets.issue(before))).status).toBe(412);
    expect((await get(tickets.issue(before), { range: 'bytes=2-4' })).status).toBe(412);
  });

  test('keeps a ticket valid for ten minutes after its last use', async () => {
    const { clock, tickets, get } = route();
    const used = tickets.issue(ticketed);
    const unused = tickets.issue(ticketed);
    await clock.advance(9 * minute);
    expect((await get(used)).status).toBe(200);
    await clock.advance(9 * minute);
    expect((await get(used)).status).toBe(200);
    expect((await get(unused)).status).toBe(404);
  });

  test('serves a ticket offered by the window as an attachment, once', async () => {
    const { clock, tickets, get } = route();
    const ticket = 'A'.repeat(22);
    const file = Promise.resolve({ ...ticketed, isFile: true, shownAs: 'application/octet-stream' as const });
    expect(tickets.offer(ticket, 'c', file)).toBe(true);
    expect(tickets.offer(ticket, 'c', file)).toBe(false);
    // A HEAD does not count as a read.
    expect((await get(`/bytes/${ticket}`, {}, 'HEAD')).status).toBe(404);
    const reply = await get(`/bytes/${ticket}`);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-disposition']).toMatch(/^attachment/);
    expect(reply.body === null ? null : await textOf(reply.body)).toBe(content.toString());
    expect((await get(`/bytes/${ticket}`)).status).toBe(404);
    tickets.offer(ticket, 'c', file);
    await clock.advance(11 * minute);
    expect((await get(`/bytes/${ticket}`)).status).toBe(404);
  });

  test('drops an offer when it fails or its connection is removed', async () => {
    const { tickets, get } = route();
    const ticket = 'B'.repeat(22);
    tickets.offer(ticket, 'c', Promise.reject(failure('not-found', 'There is no such object.')));
    expect((await get(`/bytes/${ticket}`)).status).toBe(404);
    tickets.offer(ticket, 'c', Promise.resolve(ticketed));
    tickets.dropConnection('c');
    expect((await get(`/bytes/${ticket}`)).status).toBe(404);
  });

  test('issues long, unique tickets that expire with their connection', async () => {
    const { tickets, get } = route();
    const issued = Array.from({ length: 500 }, () => tickets.issue(ticketed));
    expect(new Set(issued).size).toBe(500);
    expect(issued.every((path) => /^\/bytes\/[A-Za-z0-9_-]{22}$/.test(path))).toBe(true);
    tickets.dropConnection('c');
    expect((await get(issued[0] ?? '')).status).toBe(404);
  });

  test('responds to HEAD without a body and refuses other methods', async () => {
    const { tickets, asked, get } = route();
    const path = tickets.issue(ticketed);
    const head = await get(path, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, body: null });
    expect((await get(path, {}, 'POST')).status).toBe(405);
    expect(asked).toEqual([]);
  });

  test.each([
    ['not-found', 404],
    ['conflict', 412],
    ['access-denied', 403],
    ['network', 502],
  ] as const)('maps %s to %i without details of the service', async (code, status) => {
    const { tickets, get } = route(failure(code, 'internal words'));
    const reply = await get(tickets.issue(ticketed));
    expect(reply.status).toBe(status);
    expect(reply.headers[bytesErrorHeader]).toBe(code);
    expect(reply.body && (await textOf(reply.body))).not.toMatch(/internal words/);
  });

  test.each(['/bytes/', '/bytes/../../etc/passwd', '/other', '/bytes/AAAAAAAAAAAAAAAAAAAAAA'])(
    'responds 404 to %s',
    async (path) => {
      const reply = await route().get(path);
      expect(reply.status).toBe(404);
      // Without this header, the window knows that the error is not from the service.
      expect(reply.headers).not.toHaveProperty(bytesErrorHeader);
    },
  );
});

test('a file name in Content-Disposition is escaped and repeated in UTF-8', () => {
  expect(responseDisposition('dir/räksmörgås "1".txt')).toBe(
    `inline; filename="r_ksm_rg_s _1_.txt"; filename*=UTF-8''r%C3%A4ksm%C3%B6rg%C3%A5s%20%221%22.txt`,
  );
  assert(
    property(string({ unit: 'binary' }), (key) => {
      expect(responseDisposition(key)).toMatch(
        /^inline; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/,
      );
    }),
  );
});

test.each([
  [undefined, { kind: 'whole' }],
  ['bytes=0-', { kind: 'part', range: { firstByte: 0, lastByte: 9 } }],
  ['bytes=-3', { kind: 'part', range: { firstByte: 7, lastByte: 9 } }],
  ['bytes=-300', { kind: 'part', range: { firstByte: 0, lastByte: 9 } }],
  ['bytes=8-300', { kind: 'part', range: { firstByte: 8, lastByte: 9 } }],
  ['bytes=10-', { kind: 'unsatisfiable' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  ['bytes=5-2', { kind: 'whole' }],
  ['bytes=0-1,3-4', { kind: 'whole' }],
  ['items=0-1', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
])('the range header %j is parsed for an object of ten bytes', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});
