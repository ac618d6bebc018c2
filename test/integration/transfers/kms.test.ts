import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectAttributes, ObjectRef, S3Client } from '../../../electron/core/s3/types.ts';
import type { Encryption } from '../../../shared/models/transfers.ts';
import { copyBytes, pieceBytes, TransferRig } from '../../support/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/uploads-rig.ts';

const encryption: Encryption = { kind: 'kms', keyId: 'key-1' };
const asked = {
  'x-amz-server-side-encryption': 'aws:kms',
  'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
};

let rig: TransferRig;
/** By bucket and key: how the object is encrypted, as a HEAD tells it. */
let encrypted: Map<string, Record<string, string>>;
/** By upload. */
let begun: Map<string, Record<string, string>>;
/** The true ETag of each that was shown. */
let shown: Map<string, string>;

beforeAll(async () => {
  rig = await TransferRig.start();
});
beforeEach(async () => {
  await rig.reset();
  encrypted = new Map();
  begun = new Map();
  shown = new Map();
  rig.wrapClient = underKms;
});
afterAll(async () => {
  await rig.close();
});

/** As under KMS: it looks like an MD5, and is none. */
function hidden(etag: string): string {
  const bare = etag.replaceAll('"', '');
  const parts = /-\d+$/u.exec(bare)?.[0] ?? '';
  const made = `"${createHash('sha256').update(bare).digest('hex').slice(0, 32)}${parts}"`;
  shown.set(made, etag);
  return made;
}

function hideEtag<T extends { readonly etag: string | null }>(answer: T): T {
  return answer.etag === null ? answer : { ...answer, etag: hidden(answer.etag) };
}

function trueEtag(etag: string): string {
  return shown.get(etag) ?? etag;
}

function conditions(input: {
  readonly ifMatch?: string | undefined;
  readonly sourceIfMatch?: string | undefined;
}) {
  return {
    ...(input.ifMatch === undefined ? {} : { ifMatch: trueEtag(input.ifMatch) }),
    ...(input.sourceIfMatch === undefined ? {} : { sourceIfMatch: trueEtag(input.sourceIfMatch) }),
  };
}

function isAboutIt([name]: readonly [string, string]): boolean {
  return name.startsWith('x-amz-server-side-encryption');
}

/** What is asked for, apart from what the embedded service takes. */
function taken(attributes: ObjectAttributes) {
  const entries = Object.entries(attributes.headers ?? {});
  return {
    about: Object.fromEntries(entries.filter(isAboutIt)),
    headers: Object.fromEntries(entries.filter((entry) => !isAboutIt(entry))),
  };
}

function nameOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

/** An answer about an object, as the service gives it. */
function told<T extends { readonly headers: Readonly<Record<string, string>> }>(
  ref: ObjectRef,
  answer: T,
): T {
  return { ...answer, headers: { ...answer.headers, ...encrypted.get(nameOf(ref)) } };
}

/** The embedded service encrypts nothing: this one does, by key management, and none of its ETags is an MD5. */
function underKms(client: S3Client): S3Client {
  return {
    ...client,
    putObject: async (input, options) => {
      const { about, headers } = taken(input);
      const answer = await client.putObject({ ...input, ...conditions(input), headers }, options);
      encrypted.set(nameOf(input), about);
      return hideEtag(answer);
    },
    createMultipartUpload: async (input, options) => {
      const { about, headers } = taken(input);
      const answer = await client.createMultipartUpload({ ...input, headers }, options);
      begun.set(answer.uploadId, about);
      return answer;
    },
    uploadPart: async (input, options) => hideEtag(await client.uploadPart(input, options)),
    uploadPartCopy: async (input, options) =>
      hideEtag(await client.uploadPartCopy({ ...input, ...conditions(input) }, options)),
    listParts: async (input, options) => {
      const page = await client.listParts(input, options);
      return { ...page, parts: page.parts.map(hideEtag) };
    },
    completeMultipartUpload: async (input, options) => {
      const parts = input.parts.map((part) => ({ ...part, etag: trueEtag(part.etag) }));
      const answer = await client.completeMultipartUpload({ ...input, parts }, options);
      encrypted.set(nameOf(input), begun.get(input.uploadId) ?? {});
      return hideEtag(answer);
    },
    copyObject: async (input, options) => {
      const { about, headers } = taken(input.attributes ?? {});
      const attributes = { ...input.attributes, headers };
      const answer = await client.copyObject({ ...input, ...conditions(input), attributes }, options);
      encrypted.set(nameOf(input), about);
      return hideEtag(answer);
    },
    headObject: async (ref, options) => told(ref, hideEtag(await client.headObject(ref, options))),
    getObject: async (input, options) =>
      told(input, hideEtag(await client.getObject({ ...input, ...conditions(input) }, options))),
    listObjects: async (input, options) => {
      const page = await client.listObjects(input, options);
      return { ...page, objects: page.objects.map(hideEtag) };
    },
    deleteObject: async (input, options) =>
      await client.deleteObject({ ...input, ...conditions(input) }, options),
  };
}

const sizes = [
  ['in one piece', 1000],
  ['in parts', 3 * smallestPart + 5],
] as const;

async function sent(size: number): Promise<Buffer> {
  const bytes = bytesOf(size, 1);
  const job = await rig.settle(rig.upload([rig.file('a.bin', bytes)], { encryption }));
  expect(job).toMatchObject({ state: 'done', outcome: 'uploaded', items: { failed: 0 } });
  return bytes;
}

/** The object is renamed, and its new name has the key of the old one. */
async function renameKept(): Promise<void> {
  const { jobId } = rig.operations.rename({
    connectionId: 'c',
    bucket: rig.bucket,
    item: { kind: 'key', key: 'a.bin' },
    newName: 'b.bin',
    onConflict: 'ask',
  });
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', outcome: 'moved' });
  expect(encrypted.get(`${rig.bucket}/b.bin`)).toEqual(asked);
}

describe.each(sizes)('an object under KMS, sent %s', (_name, size) => {
  test('is encrypted as asked, and comes back: its ETag is not taken for an MD5', async () => {
    const bytes = await sent(size);
    expect(encrypted.get(`${rig.bucket}/a.bin`)).toEqual(asked);
    const job = await rig.settle(await rig.download([{ kind: 'key', key: 'a.bin' }]));
    expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
    // Nothing proved it, and nothing says that it was proved.
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: null }]);
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(bytes)).toBe(true);
  });

  test('sent again is not taken for another one by its ETag, nor for the same without a proof', async () => {
    await sent(size);
    const job = await rig.settle(rig.upload([path.join(rig.sendDir, 'a.bin')], { encryption }));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
  });

  test('keeps its key when it is renamed, and when its properties change', async () => {
    const bytes = await sent(size);
    await renameKept();
    const changed = rig.operations.change(
      { connectionId: 'c', bucket: rig.bucket },
      [{ kind: 'key', key: 'b.bin' }],
      { contentType: 'text/x-note' },
    );
    expect(await rig.settle(changed.jobId)).toMatchObject({ state: 'done' });
    expect(encrypted.get(`${rig.bucket}/b.bin`)).toEqual(asked);
    expect((await rig.object('b.bin'))?.equals(bytes)).toBe(true);
  });
});

test('an object under KMS in ranged pieces comes back whole', async () => {
  const bytes = await sent(4 * pieceBytes + 7);
  const job = await rig.settle(await rig.download([{ kind: 'key', key: 'a.bin' }]));
  expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
  expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(bytes)).toBe(true);
});

test('an object under KMS that is copied in parts keeps its key', async () => {
  const bytes = await sent(copyBytes + 1);
  await renameKept();
  expect((await rig.object('b.bin'))?.equals(bytes)).toBe(true);
});
