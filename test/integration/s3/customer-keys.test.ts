import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCustomerKey } from '../../../electron/core/s3/http/customer-key-headers.ts';
import type { CustomerKey } from '../../../electron/core/s3/model/connection-types.ts';
import { toAppError } from '../../../shared/errors.ts';
import {
  startScriptedServer,
  type ScriptedServer,
  type SeenRequest,
} from '../../support/servers/scripted-server.ts';
import { clientFor } from '../../support/servers/s3-client.ts';

function made(filler: number): CustomerKey {
  const key = parseCustomerKey(Buffer.alloc(32, filler).toString('base64'));
  if (key === null) throw new Error('This is a key.');
  return key;
}

const right = made(1);
const wrong = made(2);
const header = 'x-amz-server-side-encryption-customer-key';
const copyHeader = 'x-amz-copy-source-server-side-encryption-customer-key';
const encrypted = `<Error><Code>InvalidRequest</Code><Message>The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.</Message></Error>`;
const denied = `<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;

/** The response to CreateMultipartUpload with a customer key. */
const keyedUpload = {
  status: 200,
  headers: { 'x-amz-server-side-encryption-customer-algorithm': 'AES256' },
  body: '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>',
};

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

/** Responds as S3 does for an object with a customer key: 400 without a key, 403 with a wrong one; HEAD without a body. */
function objectOfKey(request: SeenRequest) {
  const isHead = request.method === 'HEAD';
  const given = request.headers[header];
  if (given === undefined) return { status: 400, body: isHead ? '' : encrypted };
  if (given !== right.key) return { status: 403, body: isHead ? '' : denied };
  return {
    status: 200,
    headers: { etag: '"e"', 'x-amz-server-side-encryption-customer-algorithm': 'AES256' },
    body: isHead ? '' : 'open',
  };
}

const ref = { bucket: 'b', key: 'k' };

function clientWith(...keys: readonly CustomerKey[]) {
  return clientFor(server.endpoint, { customerKeys: () => Promise.resolve(keys) });
}

async function failureOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (thrown) {
    return toAppError(thrown);
  }
  throw new Error('It did not fail.');
}

test('the matching customer key of a connection is found and remembered', async () => {
  server.answer(objectOfKey);
  const { client } = clientWith(wrong, right);
  await client.headObject(ref);
  const before = server.requests.length;
  const { body } = await client.getObject(ref);
  expect(String(Buffer.concat(await body.toArray()))).toBe('open');
  expect(server.requests.slice(before).map((request) => request.headers[header])).toEqual([right.key]);
});

test('an unencrypted object is read without a customer key', async () => {
  server.answer({ status: 200, headers: { etag: '"e"' }, body: 'plain' });
  const before = server.requests.length;
  const { body } = await clientWith(right).client.getObject(ref);
  await body.toArray();
  expect(server.requests.slice(before).map((request) => request.headers[header])).toEqual([undefined]);
});

test('HEAD and GET without the customer key fail with customer-key-needed', async () => {
  server.answer(objectOfKey);
  for (const { client } of [clientWith(), clientWith(wrong)]) {
    expect(await failureOf(client.headObject(ref))).toMatchObject({ reason: 'customer-key-needed' });
    expect(await failureOf(client.getObject(ref))).toMatchObject({ reason: 'customer-key-needed' });
  }
});

test.each([
  ['a bare 400', ''],
  ['a 400 about something else', '<Error><Code>InvalidArgument</Code><Message>No.</Message></Error>'],
  [
    'a 400 about KMS keys',
    '<Error><Code>InvalidRequest</Code><Message>Server Side Encryption with AWS KMS managed keys needs TLS.</Message></Error>',
  ],
])('%s makes the client send no customer key', async (_name, body) => {
  server.answer(({ method }) => ({ status: 400, body: method === 'HEAD' ? '' : body }));
  const before = server.requests.length;
  const { client } = clientWith(wrong, right);
  await failureOf(client.getObject(ref));
  await failureOf(client.headObject(ref));
  const part = {
    ...ref,
    uploadId: 'u',
    partNumber: 1,
    body: { sizeBytes: 1, open: () => new Uint8Array(1) },
  };
  await failureOf(client.uploadPart(part));
  await failureOf(client.copyObject({ ...ref, source: { bucket: 'b', key: 's' } }));
  const seen = server.requests.slice(before);
  expect(seen.length).toBeGreaterThan(3);
  expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toContain('customer-key');
});

test('a service is sent only the customer keys of the requested bucket', async () => {
  server.answer(objectOfKey);
  const { client } = clientFor(server.endpoint, {
    customerKeys: (bucket) => Promise.resolve(bucket === 'mine' ? [right] : [wrong]),
  });
  const before = server.requests.length;
  await client.headObject({ bucket: 'mine', key: 'k' });
  await (await client.getObject({ bucket: 'mine', key: 'other' })).body.toArray();
  const seen = server.requests.slice(before).map(({ headers }) => headers[header]);
  expect(seen).not.toContain(wrong.key);
});

test.each([
  ['a host on the network', (port: number) => `http://s3.lan:${String(port)}`, 'none'],
  ['a proxy although the host is localhost', () => 'http://127.0.0.1:9', 'http://127.0.0.1:PORT'],
])('over http no customer key is sent to %s, and the error says why', async (_name, endpointOf, proxy) => {
  const { port } = new URL(server.endpoint);
  server.answer(objectOfKey);
  const { client } = clientFor(endpointOf(Number(port)), {
    customerKeys: () => Promise.resolve([right]),
    proxyUrl: proxy.replace('PORT', port),
  });
  const body = { sizeBytes: 1, open: () => new Uint8Array(1) };
  const before = server.requests.length;
  const works = [
    async () => await client.putObject({ ...ref, body, customerKeyMd5: right.md5 }),
    async () => await client.createMultipartUpload({ ...ref, customerKeyMd5: right.md5 }),
  ];
  for (const work of works)
    expect(await failureOf(work())).toMatchObject({ reason: 'customer-key-needs-tls' });
  expect(server.requests.length).toBe(before);
});

test('another refusal of an encrypted object keeps its reason', async () => {
  server.answer({ status: 400, body: '<Error><Code>InvalidArgument</Code><Message>No.</Message></Error>' });
  expect(await failureOf(clientWith(right).client.getObject(ref))).toMatchObject({ reason: 'refused' });
});

test('a write uses the customer key of its digest, and an unknown digest sends nothing', async () => {
  server.answer(objectOfKey);
  const body = { sizeBytes: 1, open: () => new Uint8Array(1) };
  await clientWith(wrong, right).client.putObject({ ...ref, body, customerKeyMd5: right.md5 });
  const sent = server.requests.at(-1)?.headers;
  expect(sent).toMatchObject({ [header]: right.key, [`${header}-md5`]: right.md5 });
  const before = server.requests.length;
  const error = await failureOf(
    clientWith(wrong).client.putObject({ ...ref, body, customerKeyMd5: right.md5 }),
  );
  expect(error.reason).toBe('customer-key-needed');
  expect(server.requests.length).toBe(before);
});

test('a service that does not encrypt as requested is detected', async () => {
  server.answer({ status: 200, headers: { etag: '"e"' } });
  const body = { sizeBytes: 1, open: () => new Uint8Array(1) };
  const { client } = clientWith(right);
  for (const asked of [
    { customerKeyMd5: right.md5 },
    { headers: { 'x-amz-server-side-encryption': 'AES256' } },
  ])
    expect(await failureOf(client.putObject({ ...ref, body, ...asked }))).toMatchObject({
      reason: 'encryption-ignored',
    });
});

test('the parts of an upload are sent with its customer key, which is found again after a restart', async () => {
  server.answer((request) => (request.method === 'POST' ? keyedUpload : objectOfKey(request)));
  const first = clientWith(right).client;
  const { uploadId } = await first.createMultipartUpload({ ...ref, customerKeyMd5: right.md5 });
  const part = { ...ref, uploadId, partNumber: 1, body: { sizeBytes: 1, open: () => new Uint8Array(1) } };
  let before = server.requests.length;
  // With a customer key, the ETag is not an MD5.
  expect(await first.uploadPart(part)).toMatchObject({ etagHidesMd5: true });
  expect(server.requests.slice(before).map((request) => request.headers[header])).toEqual([right.key]);
  before = server.requests.length;
  await clientWith(wrong, right).client.uploadPart(part);
  expect(server.requests.slice(before).map((request) => request.headers[header])).toEqual([
    undefined,
    wrong.key,
    right.key,
  ]);
});

test.each(['BadDigest', 'RequestTimeout', 'EntityTooLarge'])(
  'a part refused with 400 %s is not sent again without its customer key',
  async (code) => {
    const refused = { status: 400, body: `<Error><Code>${code}</Code><Message>No.</Message></Error>` };
    server.answer((request) =>
      request.method === 'POST'
        ? keyedUpload
        : request.headers[header] === undefined
          ? { status: 400, body: encrypted }
          : refused,
    );
    const { client } = clientWith(right);
    const { uploadId } = await client.createMultipartUpload({ ...ref, customerKeyMd5: right.md5 });
    const body = { sizeBytes: 1, open: () => new Uint8Array(1) };
    const before = server.requests.length;
    const error = await failureOf(client.uploadPart({ ...ref, uploadId, partNumber: 1, body }));
    expect(error.s3?.code).toBe(code);
    const keys = new Set(server.requests.slice(before).map(({ headers }) => headers[header]));
    expect([...keys]).toEqual([right.key]);
  },
);

test('a copied part is sent with its customer key for both sides, also after a restart', async () => {
  server.answer((request) => {
    if (request.method === 'POST') return keyedUpload;
    if (request.method === 'PUT' && request.headers[copyHeader] !== request.headers[header])
      return { status: 400, body: encrypted };
    const reply = objectOfKey(request);
    return reply.status === 200 && request.method === 'PUT'
      ? { status: 200, body: '<CopyPartResult><ETag>"p"</ETag></CopyPartResult>' }
      : reply;
  });
  const first = clientWith(right).client;
  const { uploadId } = await first.createMultipartUpload({ ...ref, customerKeyMd5: right.md5 });
  const source = { bucket: 'b', key: 'source' };
  const part = { ...ref, uploadId, partNumber: 1, source };
  await first.headObject(source);
  let before = server.requests.length;
  expect(await first.uploadPartCopy(part)).toEqual({ etag: '"p"' });
  expect(server.requests.slice(before).map((request) => request.headers[header])).toEqual([right.key]);
  before = server.requests.length;
  await clientWith(wrong, right).client.uploadPartCopy(part);
  expect(server.requests.slice(before).map(({ headers }) => [headers[copyHeader], headers[header]])).toEqual([
    [undefined, undefined],
    [undefined, wrong.key],
    [wrong.key, wrong.key],
    [undefined, right.key],
    [right.key, right.key],
  ]);
});

test('a part of a plain object is copied into an upload with a customer key', async () => {
  server.answer((request) => {
    if (request.method === 'POST') return keyedUpload;
    if (request.headers[copyHeader] !== undefined || request.headers[header] !== right.key)
      return { status: 400, body: encrypted };
    return { status: 200, body: '<CopyPartResult><ETag>"p"</ETag></CopyPartResult>' };
  });
  const { client } = clientWith(right);
  const { uploadId } = await client.createMultipartUpload({ ...ref, customerKeyMd5: right.md5 });
  const part = { ...ref, uploadId, partNumber: 1, source: { bucket: 'b', key: 'plain' } };
  expect(await client.uploadPartCopy(part)).toEqual({ etag: '"p"' });
});

test('no customer key appears in the request log or in an error', async () => {
  server.answer({
    status: 400,
    body: `<Error><Code>InvalidArgument</Code><Message>Not good: ${right.key}</Message></Error>`,
  });
  const { client, log } = clientWith(right);
  const error = await failureOf(
    client.putObject({
      ...ref,
      body: { sizeBytes: 0, open: () => new Uint8Array(0) },
      customerKeyMd5: right.md5,
    }),
  );
  expect(JSON.stringify([error, log])).not.toContain(right.key);
});

test('a requester-pays connection sends its header with every request and in links', async () => {
  server.answer({ status: 200, headers: { etag: '"e"' }, body: '' });
  const { client } = clientFor(server.endpoint, { requesterPays: true });
  await client.headObject(ref);
  expect(server.requests.at(-1)?.headers['x-amz-request-payer']).toBe('requester');
  expect(server.requests.at(-1)?.headers['authorization']).toContain('x-amz-request-payer');
  const { url } = await client.presign({ ...ref, method: 'GET', expiresInSeconds: 60 });
  expect(url).toContain('x-amz-request-payer=requester');
  await clientFor(server.endpoint).client.headObject(ref);
  expect(server.requests.at(-1)?.headers['x-amz-request-payer']).toBeUndefined();
});
