import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProperties } from '../../../electron/core/properties/properties.ts';
import { clientFor, errorOf } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  type ScriptedServer,
} from '../../support/servers/scripted-server.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

const at = { connectionId: 'c', bucket: 'b' };

function properties() {
  const { client } = clientFor(server.endpoint);
  return createProperties({ client: () => Promise.resolve(client) });
}

async function outcomeOf(key = 'k') {
  const [result] = await properties().restore({ ...at, keys: [key], days: 7, tier: 'Standard' });
  return result;
}

describe('a restore request', () => {
  test.each([
    ['Bulk', '<GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters>'],
    [null, ''],
  ])('contains the days and the tier (%s) in schema order', async (tier, parameters) => {
    server.answer({ status: 202 });
    const { client } = clientFor(server.endpoint);
    expect(await client.restoreObject({ bucket: 'b', key: 'a/ü &.txt', days: 7, tier })).toBe('started');
    const request = server.requests.at(-1);
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/b/a/%C3%BC%20%26.txt?restore=');
    const body = String(request?.body);
    expect(body.slice(body.indexOf('<RestoreRequest'))).toBe(
      `<RestoreRequest xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Days>7</Days>${parameters}</RestoreRequest>`,
    );
    // The service requires a digest of this body (API_RestoreObject).
    expect(request?.headers['content-md5'] ?? request?.headers['x-amz-checksum-crc32']).toBeDefined();
  });

  test('contains the version if one is given', async () => {
    server.answer({ status: 202 });
    const { client } = clientFor(server.endpoint);
    await client.restoreObject({ bucket: 'b', key: 'k', versionId: 'v 1', days: 1, tier: null });
    const { searchParams } = new URL(server.requests.at(-1)?.path ?? '', server.endpoint);
    expect([...searchParams.keys()].toSorted()).toEqual(['restore', 'versionId']);
    expect(searchParams.get('versionId')).toBe('v 1');
  });

  test('is accepted (202), or prolongs an existing copy (200)', async () => {
    server.answer({ status: 202 }, { status: 200 });
    expect(await outcomeOf()).toEqual({ key: 'k', outcome: 'started', error: null });
    expect(await outcomeOf()).toEqual({ key: 'k', outcome: 'prolonged', error: null });
  });

  test('reports that it is in progress already, or that nothing is archived', async () => {
    server.answer(errorResponse(409, 'RestoreAlreadyInProgress'), errorResponse(403, 'InvalidObjectState'));
    expect(await outcomeOf()).toEqual({ key: 'k', outcome: 'in-progress', error: null });
    expect(await outcomeOf()).toEqual({ key: 'k', outcome: 'not-archived', error: null });
  });

  test("reports the service's error for each object separately", async () => {
    server.answer(({ path }) =>
      path.startsWith('/b/no') ? errorResponse(403, 'AccessDenied') : { status: 202 },
    );
    const results = await properties().restore({ ...at, keys: ['a', 'no', 'z'], days: 1, tier: 'Bulk' });
    expect(results).toMatchObject([
      { key: 'a', outcome: 'started', error: null },
      { key: 'no', outcome: 'failed', error: { code: 'access-denied', s3: { code: 'AccessDenied' } } },
      { key: 'z', outcome: 'started', error: null },
    ]);
  });

  test('is unsupported at a service without archives', async () => {
    server.answer(errorResponse(501, 'NotImplemented'));
    expect(await outcomeOf()).toMatchObject({ outcome: 'failed', error: { code: 'unsupported' } });
  });
});

test('reading an archived object reports object-archived, not access-denied', async () => {
  server.answer(errorResponse(403, 'InvalidObjectState'));
  expect(await errorOf(clientFor(server.endpoint).client.getObject({ bucket: 'b', key: 'k' }))).toMatchObject(
    { code: 'conflict', reason: 'object-archived' },
  );
});

test.each([
  ['GLACIER', undefined, { state: 'archived' }],
  ['DEEP_ARCHIVE', 'ongoing-request="true"', { state: 'being-restored' }],
  [
    'GLACIER',
    'ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"',
    { state: 'restored', until: '2012-12-21T00:00:00.000Z' },
  ],
  ['GLACIER', 'ongoing-request="false"', { state: 'restored', until: null }],
  ['GLACIER_IR', undefined, { state: 'readable' }],
  ['STANDARD', undefined, { state: 'readable' }],
] as const)('a HEAD reports what is readable: %s with %s', async (storageClass, restore, archive) => {
  server.answer(({ method }) =>
    method === 'HEAD'
      ? {
          status: 200,
          headers: {
            etag: '"e"',
            'x-amz-storage-class': storageClass,
            ...(restore === undefined ? {} : { 'x-amz-restore': restore }),
          },
        }
      : errorResponse(501, 'NotImplemented'),
  );
  const [read] = await properties().read({ ...at, keys: ['k'] }, undefined);
  expect(read?.properties?.archive).toEqual(archive);
});
