import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  markerAttributes,
  uploadAttributes,
} from '../../../electron/core/transfers/uploads/upload-attributes.ts';
import { defaultUploadOptions } from '../../../shared/models/transfers.ts';
import { bytesSource, clientFor, errorOf } from '../../support/servers/s3-client.ts';
import {
  startScriptedServer,
  type ScriptedServer,
  type SeenRequest,
} from '../../support/servers/scripted-server.ts';

const keyId = 'arn:aws:kms:eu-west-1:111122223333:key/1';
const wanted = {
  'x-amz-server-side-encryption': 'aws:kms',
  'x-amz-server-side-encryption-aws-kms-key-id': keyId,
};
const options = { ...defaultUploadOptions, encryption: { kind: 'kms', keyId } } as const;
const attributes = uploadAttributes(options, 'k', '0');
const ref = { bucket: 'b', key: 'k' };
const etag = '"0123456789abcdef0123456789abcdef"';
const bodies: readonly (readonly [name: RegExp, body: string])[] = [
  [/[?&]uploads=/u, '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'],
  [/^\/b\/copy/u, `<CopyObjectResult><ETag>${etag}</ETag></CopyObjectResult>`],
  [/uploadId=u$/u, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`],
];

let server: ScriptedServer;
let answers: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startScriptedServer();
  server.answer(({ path }) => ({
    status: 200,
    headers: { etag, ...answers },
    body: bodies.find(([name]) => name.test(path))?.[1] ?? '',
  }));
});
beforeEach(() => {
  answers = wanted;
});
afterAll(async () => {
  await server.close();
});

async function sentBy(work: (client: ReturnType<typeof clientFor>['client']) => Promise<unknown>) {
  const before = server.requests.length;
  await work(clientFor(server.endpoint).client);
  expect(server.requests.length).toBe(before + 1);
  return server.requests.at(-1) as SeenRequest;
}

function encryptionOf({ headers }: SeenRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-server-side-encryption')),
  );
}

test.each([
  ['PutObject', (client) => client.putObject({ ...ref, ...attributes, body: bytesSource('a') })],
  [
    'PutObject of a folder marker',
    (client) => client.putObject({ ...ref, key: 'k/', ...markerAttributes(options), body: bytesSource('') }),
  ],
  ['CreateMultipartUpload', (client) => client.createMultipartUpload({ ...ref, ...attributes })],
  [
    'CopyObject',
    (client) =>
      client.copyObject({
        ...ref,
        key: 'copy',
        source: ref,
        metadataDirective: 'COPY',
        attributes: { headers: wanted },
      }),
  ],
] satisfies readonly [string, Parameters<typeof sentBy>[0]][])(
  '%s sends and signs KMS encryption with its key',
  async (_name, work) => {
    const request = await sentBy(work);
    expect(encryptionOf(request)).toEqual(wanted);
    for (const name of Object.keys(wanted)) expect(request.headers['authorization']).toContain(name);
  },
);

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html: refused there with "InvalidArgument".
test.each([
  [
    'UploadPart',
    (client) => client.uploadPart({ ...ref, uploadId: 'u', partNumber: 1, body: bytesSource('a') }),
  ],
  [
    'CompleteMultipartUpload',
    (client) => client.completeMultipartUpload({ ...ref, uploadId: 'u', parts: [{ partNumber: 1, etag }] }),
  ],
  ['HeadObject', (client) => client.headObject(ref)],
] satisfies readonly [string, Parameters<typeof sentBy>[0]][])(
  '%s sends no encryption headers',
  async (_name, work) => {
    expect(encryptionOf(await sentBy(work))).toEqual({});
  },
);

test.each([
  ['without it', {}],
  ['with a key that it manages', { 'x-amz-server-side-encryption': 'AES256' }],
])('a service that responds %s is detected as ignoring the encryption', async (_name, answered) => {
  answers = answered;
  const { client } = clientFor(server.endpoint);
  const put = client.putObject({ ...ref, ...attributes, body: bytesSource('a') });
  expect(await errorOf(put)).toMatchObject({ reason: 'encryption-ignored' });
  const created = client.createMultipartUpload({ ...ref, ...attributes });
  expect(await errorOf(created)).toMatchObject({ reason: 'encryption-ignored' });
});
