import { describe, expect, test } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import { all, bucketWith, call, elementText, serve } from './harness.ts';

const path = '/bucket/note.txt';
const tagging = { tagging: '' };

async function tagsOf(service: Service, at = path): Promise<readonly string[]> {
  const { text } = await call(service, { path: at, query: tagging });
  return all(text, 'Key').map((key, n) => `${key}=${all(text, 'Value')[n] ?? ''}`);
}

function body(pairs: readonly (readonly [string, string])[]): string {
  const tags = pairs.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`).join('');
  return `<Tagging><TagSet>${tags}</TagSet></Tagging>`;
}

describe('object tags', () => {
  test("are put, counted and deleted without changing the object's time and ETag", async () => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    const before = await call(service, { method: 'HEAD', path });
    expect(await tagsOf(service)).toEqual([]);
    const xml = body([
      ['team', 'blue &amp; red'],
      ['empty', ''],
    ]);
    expect((await call(service, { method: 'PUT', path, query: tagging, body: xml })).status).toBe(200);
    expect(await tagsOf(service)).toEqual(['team=blue & red', 'empty=']);
    const after = await call(service, { method: 'HEAD', path });
    expect(after.headers['x-amz-tagging-count']).toBe('2');
    expect([after.headers['etag'], after.headers['last-modified']]).toEqual([
      before.headers['etag'],
      before.headers['last-modified'],
    ]);
    expect((await call(service, { method: 'DELETE', path, query: tagging })).status).toBe(204);
    expect(await tagsOf(service)).toEqual([]);
    expect((await call(service, { path })).text).toBe('note.txt');
  });

  test('are stored with a PUT and copied unless the copy replaces them', async () => {
    const service = await serve();
    await bucketWith(service, []);
    await call(service, { method: 'PUT', path, body: 'x', headers: { 'x-amz-tagging': 'a=1&b%20c=d+e' } });
    expect(await tagsOf(service)).toEqual(['a=1', 'b c=d e']);
    const copy = { 'x-amz-copy-source': path };
    await call(service, { method: 'PUT', path: '/bucket/kept', headers: copy });
    expect(await tagsOf(service, '/bucket/kept')).toEqual(['a=1', 'b c=d e']);
    await call(service, {
      method: 'PUT',
      path: '/bucket/kept2',
      headers: { ...copy, 'x-amz-metadata-directive': 'REPLACE', 'content-type': 'text/x' },
    });
    expect(await tagsOf(service, '/bucket/kept2')).toEqual(['a=1', 'b c=d e']);
    await call(service, {
      method: 'PUT',
      path: '/bucket/other',
      headers: { ...copy, 'x-amz-tagging-directive': 'REPLACE', 'x-amz-tagging': 'z=9' },
    });
    expect(await tagsOf(service, '/bucket/other')).toEqual(['z=9']);
  });

  test.each([
    [
      'duplicate names',
      body([
        ['a', '1'],
        ['a', '2'],
      ]),
      'InvalidTag',
    ],
    ['more than ten', body(Array.from({ length: 11 }, (_, n) => [`t${n}`, ''] as const)), 'InvalidTag'],
    ['too long a name', body([['x'.repeat(129), '']]), 'InvalidTag'],
    ['no name', body([['', 'x']]), 'InvalidTag'],
    ['no tags element', '<Other/>', 'MalformedXML'],
  ])('are refused as a whole: %s', async (_, xml, code) => {
    const service = await serve();
    await bucketWith(service, ['note.txt']);
    await call(service, { method: 'PUT', path, query: tagging, body: body([['kept', '1']]) });
    const reply = await call(service, { method: 'PUT', path, query: tagging, body: xml });
    expect([reply.status, elementText(reply.text, 'Code')]).toEqual([400, code]);
    expect(await tagsOf(service)).toEqual(['kept=1']);
  });

  test('of a missing object are NoSuchKey', async () => {
    const service = await serve();
    await bucketWith(service, []);
    for (const method of ['GET', 'DELETE']) {
      const reply = await call(service, { method, path, query: tagging });
      expect([reply.status, elementText(reply.text, 'Code')]).toEqual([404, 'NoSuchKey']);
    }
  });
});
