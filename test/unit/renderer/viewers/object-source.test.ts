import { expect, test } from 'vitest';
import { streamFrom } from '../../../../renderer/features/viewers/frame/bytes.ts';
import {
  objectSource,
  type PreviewedObject,
} from '../../../../renderer/features/viewers/frame/object-source.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import { bytesErrorHeader } from '../../../../shared/session.ts';

const content = new TextEncoder().encode('0123456789');
const first: PreviewedObject = {
  kind: 'object',
  path: '/bytes/one',
  sizeBytes: content.length,
  etag: '"e"',
  lastModified: '2026-01-01T00:00:00Z',
  contentType: null,
  contentEncoding: null,
  storageClass: null,
  isPlayable: false,
  limitBytes: 1,
};
const ref = { connectionId: 'c', bucket: 'b', key: 'k' };

function part(init: RequestInit): Response {
  const range = new Headers(init.headers).get('range') ?? '';
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  return new Response(content.slice(Number(from), to === '' ? undefined : Number(to) + 1), { status: 206 });
}

function opened(reply: (path: string, init: RequestInit) => Response, now: PreviewedObject = first) {
  const paths: string[] = [];
  const { source, media } = objectSource(ref, first, {
    preview: async () => await Promise.resolve(now),
    fetch: async (path, init) => {
      paths.push(path);
      return await Promise.resolve(reply(path, init));
    },
  });
  return { source, address: media.now, paths };
}

const refused = (status: number, code: string) =>
  opened(() => new Response(null, { status, headers: { [bytesErrorHeader]: code } }));

const thrownBy = async (promise: Promise<unknown>) => {
  const thrown: unknown = await promise.catch((reason: unknown) => reason);
  if (!(thrown instanceof AppFailure))
    throw new Error('It did not fail as the program does.', { cause: thrown });
  return thrown.error;
};

test('an object is read in ranges with its ticket', async () => {
  const { source, paths } = opened((_, init) => part(init));
  expect(new TextDecoder().decode(await source.read(2, 3))).toBe('234');
  expect(await new Response(await streamFrom(source, 7, new AbortController().signal)).text()).toBe('789');
  expect(paths).toEqual(['/bytes/one', '/bytes/one']);
});

test('an expired ticket is renewed once for all readers, which resume', async () => {
  const now = { ...first, path: '/bytes/two' };
  const { source, address, paths } = opened(
    (path, init) => (path === '/bytes/one' ? new Response(null, { status: 404 }) : part(init)),
    now,
  );
  expect(new TextDecoder().decode(await source.read(0, 10))).toBe('0123456789');
  expect(address()).toBe('/bytes/two');
  expect(paths).toEqual(['/bytes/one', '/bytes/two']);
});

test.each([
  ['another ETag', { etag: '"f"' }],
  ['another size', { sizeBytes: 11 }],
  ['another time', { lastModified: '2026-02-01T00:00:00Z' }],
])('two versions are never spliced: a new ticket with %s is not read', async (_, change) => {
  const { source, paths } = opened(() => new Response(null, { status: 404 }), {
    ...first,
    path: '/bytes/two',
    ...change,
  });
  expect(await thrownBy(source.read(0, 1))).toMatchObject({ code: 'conflict', reason: 'object-changed' });
  expect(paths).toEqual(['/bytes/one']);
});

test.each(['W/"e"', null])(
  'a new ticket whose ETag a proxy made weak or removed (%s) is read',
  async (etag) => {
    const { source, paths } = opened(
      (path, init) => (path === '/bytes/one' ? new Response(null, { status: 404 }) : part(init)),
      { ...first, path: '/bytes/two', etag },
    );
    expect(new TextDecoder().decode(await source.read(0, 10))).toBe('0123456789');
    expect(paths).toEqual(['/bytes/one', '/bytes/two']);
  },
);

test('an error of the service is reported without requesting a new ticket', async () => {
  expect(await thrownBy(refused(404, 'not-found').source.read(0, 1))).toMatchObject({ code: 'not-found' });
  expect(await thrownBy(refused(403, 'access-denied').source.read(0, 1))).toMatchObject({
    code: 'access-denied',
  });
  expect(await thrownBy(refused(412, 'conflict').source.read(0, 1))).toMatchObject({
    reason: 'object-changed',
  });
});

test('a response that is not the requested range is an error', async () => {
  const whole = opened(() => new Response(content, { status: 200 }));
  expect(await thrownBy(whole.source.read(0, 10))).toMatchObject({ code: 'server' });
  const short = opened(() => new Response(content.slice(0, 3), { status: 206 }));
  expect(await thrownBy(short.source.read(0, 10))).toMatchObject({ code: 'damaged' });
});
