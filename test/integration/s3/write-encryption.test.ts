import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseCustomerKey } from '../../../electron/core/s3/http/customer-key-headers.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { coreUnderTest, inputFor } from '../../support/core/core-under-test.ts';
import { bytesSource, clientFor, errorOf } from '../../support/servers/s3-client.ts';
import {
  errorResponse,
  startScriptedServer,
  xmlResponse,
  type ScriptedResponse,
  type ScriptedServer,
  type SeenRequest,
} from '../../support/servers/scripted-server.ts';
import { defaultUploadOptions } from '../../../shared/models/transfers.ts';

const sse = 'x-amz-server-side-encryption';
const kmsKey = 'x-amz-server-side-encryption-aws-kms-key-id';
const etag = '"900150983cd24fb0d6963f7d28e17f72"';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

/** Returns the response to each kind of write, which confirms the encryption. */
function written({ method, path, headers }: SeenRequest): ScriptedResponse {
  const echoed = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(sse)));
  const reply: ScriptedResponse = path.endsWith('?uploads=')
    ? xmlResponse('<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>')
    : headers['x-amz-copy-source'] === undefined
      ? { headers: { etag } }
      : xmlResponse(`<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`);
  if (method === 'HEAD') return { status: 404 };
  return typeof reply === 'string' ? reply : { ...reply, headers: { ...reply.headers, ...echoed } };
}

/** A bucket whose policy denies every write without an encryption header. */
const demanding =
  (document: ScriptedResponse) =>
  (request: SeenRequest): ScriptedResponse => {
    if (request.path.endsWith('?encryption=')) return document;
    return request.headers[sse] === undefined && request.method !== 'HEAD'
      ? errorResponse(403, 'AccessDenied')
      : written(request);
  };
const byKms = xmlResponse(
  '<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>key-7</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>',
);

const customerKey = parseCustomerKey(Buffer.alloc(32, 5).toString('base64'));
if (customerKey === null) throw new Error('This is a key.');

const body = bytesSource('abc');
const to = { bucket: 'b', key: 'k' };
const writes: readonly (readonly [string, (client: S3Client) => Promise<unknown>])[] = [
  ['PutObject', async (client) => await client.putObject({ ...to, body })],
  ['CopyObject', async (client) => await client.copyObject({ ...to, source: { bucket: 'b', key: 'from' } })],
  ['CreateMultipartUpload', async (client) => await client.createMultipartUpload(to)],
];
let before = 0;
beforeEach(() => {
  before = server.requests.length;
});
const sent = (): readonly (string | undefined)[] =>
  server.requests
    .slice(before)
    .filter(({ method, path }) => method !== 'HEAD' && !path.endsWith('?encryption='))
    .map(({ headers }) => headers[sse]);

describe.each(writes)('%s', (_name, write) => {
  test('asks for the encryption that the connection names', async () => {
    server.answer(written);
    const { client } = clientFor(server.endpoint, { writeEncryption: () => ({ kind: 'service' }) });
    await write(client);
    expect(sent()).toEqual(['AES256']);
  });

  test('is repeated with the default encryption of a bucket that denies writes without it', async () => {
    server.answer(demanding(byKms));
    const { client } = clientFor(server.endpoint);
    await write(client);
    await write(client);
    expect(sent()).toEqual([undefined, 'aws:kms', 'aws:kms']);
    expect(server.requests.at(-1)?.headers[kmsKey]).toBe('key-7');
  });

  test.each([
    ['busy', { status: 409, body: '<Error><Code>ConditionalRequestConflict</Code></Error>' }, 'not-applied'],
    ['in doubt', { status: 504 }, 'unknown'],
  ])('reports that its repetition with the default encryption is %s', async (_name, repeated, outcome) => {
    server.answer((request) => (request.headers[sse] === undefined ? demanding(byKms)(request) : repeated));
    const error = await errorOf(write(clientFor(server.endpoint).client));
    expect(error).toMatchObject({ s3: { status: repeated.status }, outcome, retry: 'backoff' });
  });

  test('reports the denial of the write if its repetition is denied too', async () => {
    server.answer(({ path }) => (path.endsWith('?encryption=') ? byKms : errorResponse(403, 'AccessDenied')));
    const error = await errorOf(write(clientFor(server.endpoint).client));
    expect(error).toMatchObject({ code: 'access-denied', reason: 'denied', outcome: 'not-applied' });
    expect(sent()).toEqual([undefined, 'aws:kms']);
  });

  test('uses the customer key that the connection names', async () => {
    server.answer(written);
    const { client } = clientFor(server.endpoint, {
      customerKeys: () => Promise.resolve([customerKey]),
      writeEncryption: () => ({ kind: 'customer', keyMd5: customerKey.md5 }),
    });
    await write(client);
    const writes = server.requests.slice(before).filter(({ method }) => method !== 'HEAD');
    expect(writes.map(({ headers }) => headers[`${sse}-customer-key`])).toEqual([customerKey.key]);
    expect(writes.map(({ headers }) => headers[sse])).toEqual([undefined]);
  });

  test('sends nothing if the customer key that the connection names is not stored', async () => {
    server.answer(written);
    const { client } = clientFor(server.endpoint, {
      writeEncryption: () => ({ kind: 'customer', keyMd5: customerKey.md5 }),
    });
    expect(await errorOf(write(client))).toMatchObject({ reason: 'customer-key-needed' });
    expect(sent()).toEqual([]);
  });

  test('reports the denial of the write if the encryption of the bucket may not be read', async () => {
    server.answer(demanding(errorResponse(403, 'AccessDenied')));
    const { client } = clientFor(server.endpoint);
    expect(await errorOf(write(client))).toMatchObject({ code: 'access-denied', reason: 'denied' });
    expect(sent()).toEqual([undefined]);
  });

  test('never asks for the encryption of a bucket that takes the write', async () => {
    server.answer((request) =>
      request.path.endsWith('?encryption=') ? errorResponse(403, 'AccessDenied') : written(request),
    );
    await write(clientFor(server.endpoint).client);
    expect(sent()).toEqual([undefined]);
    expect(server.requests.slice(before).filter(({ path }) => path.endsWith('?encryption='))).toEqual([]);
  });

  test('reports the denial of a bucket that names no encryption', async () => {
    server.answer(demanding(errorResponse(404, 'ServerSideEncryptionConfigurationNotFoundError')));
    const { client } = clientFor(server.endpoint);
    expect(await errorOf(write(client))).toMatchObject({ code: 'access-denied', reason: 'denied' });
    expect(sent()).toEqual([undefined]);
  });
});

test('the encryption that a caller chose is sent unchanged', async () => {
  server.answer(written);
  const { client } = clientFor(server.endpoint, { writeEncryption: () => ({ kind: 'service' }) });
  await client.putObject({ ...to, body, isEncryptionChosen: true });
  await client.putObject({ ...to, body, headers: { [sse]: 'aws:kms' } });
  expect(sent()).toEqual([undefined, 'aws:kms']);
});

test('a copy is repeated with the default encryption of its bucket where that of its source is denied', async () => {
  server.answer((request) => {
    if (request.path.endsWith('?encryption=')) return byKms;
    return request.headers[sse] === 'aws:kms' ? written(request) : errorResponse(403, 'AccessDenied');
  });
  const { client } = clientFor(server.endpoint);
  const headers = { [sse]: 'AES256' };
  await client.copyObject({ ...to, source: { bucket: 'b', key: 'from' }, attributes: { headers } });
  expect(sent()).toEqual(['AES256', 'aws:kms']);
  const chosen = client.putObject({ ...to, body, headers, isEncryptionChosen: true });
  expect(await errorOf(chosen)).toMatchObject({ reason: 'denied' });
});

test('the default encryption of a bucket is read again once a write with it is denied', async () => {
  let keyId = 'key-7';
  server.answer((request) => {
    if (request.path.endsWith('?encryption='))
      return xmlResponse(
        `<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>${keyId}</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>`,
      );
    return request.headers[kmsKey] === keyId ? written(request) : errorResponse(403, 'AccessDenied');
  });
  const { client } = clientFor(server.endpoint);
  await client.putObject({ ...to, body });
  keyId = 'key-8';
  await client.putObject({ ...to, body });
  expect(server.requests.at(-1)?.headers[kmsKey]).toBe('key-8');
});

test('a new folder is encrypted as the uploads of its connection are', async () => {
  server.answer(written);
  const { client } = coreUnderTest();
  const { id: connectionId } = await client.connections.create(inputFor(server.endpoint));
  await client.transfers.setUploadDefaults({
    connectionId,
    options: { ...defaultUploadOptions, encryption: { kind: 'kms', keyId: 'key-7' } },
  });
  await client.operations.createFolder({ connectionId, bucket: 'b', prefix: '', name: 'new' });
  expect(sent()).toEqual(['aws:kms']);
  expect(server.requests.find(({ path }) => path === '/b/new/')?.method).toBeDefined();
});
