import { beforeEach, describe, expect, test } from 'vitest';
import { AppFailure, failure } from '../../../shared/errors.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import type { Grant, ObjectAcl } from '../../../electron/core/s3/model/property-types.ts';
import type { ObjectRef } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
/** The service's ACLs by bucket and key; an object without an entry is private. */
let acls: Map<string, ObjectAcl>;
let refusal: Error | null;
/** Returns the reason why the ACL of a key cannot be read, or null if it can be. */
let unreadable: (key: string) => Error | null;
/** The object ownership setting of the target's bucket, or null without one. */
let ownership: string | null;
/** Called before grants are written. */
let onGrants: () => void;
/** The account that writes, which becomes the owner of new objects. */
let writer: string;

rigOfFile((started) => {
  rig = started;
});
beforeEach(() => {
  acls = new Map();
  refusal = null;
  unreadable = () => null;
  ownership = null;
  onGrants = () => undefined;
  writer = 'me';
  rig.wrapClient = withAcls;
});

function nameOf({ bucket, key }: ObjectRef): string {
  return `${bucket}/${key}`;
}

function user(id: string, permission: string): Grant {
  return { grantee: { kind: 'user', id, displayName: id }, permission };
}

function ownAcl(owner: string, ...others: readonly Grant[]): ObjectAcl {
  return { owner: { id: owner, displayName: owner }, grants: [user(owner, 'FULL_CONTROL'), ...others] };
}

function makePrivate(ref: ObjectRef): void {
  acls.set(nameOf(ref), ownAcl(writer));
}

/** Adds ACLs to the embedded service, which has none. Each write makes its object private. */
function withAcls(client: S3Client): S3Client {
  return {
    ...client,
    getObjectAcl: async (ref) => {
      await client.headObject(ref);
      const error = unreadable(ref.key);
      if (error !== null) throw error;
      return acls.get(nameOf(ref)) ?? ownAcl('me');
    },
    getBucketDocument: async (input, options) =>
      ownership === null
        ? await client.getBucketDocument(input, options)
        : { text: ownership, transitionMinimum: null },
    putObjectGrants: async (input) => {
      onGrants();
      if (refusal !== null) throw refusal;
      await client.headObject(input);
      acls.set(nameOf(input), input.acl);
    },
    copyObject: async (input, options) => {
      const response = await client.copyObject(input, options);
      makePrivate(input);
      return response;
    },
    completeMultipartUpload: async (input, options) => {
      const response = await client.completeMultipartUpload(input, options);
      makePrivate(input);
      return response;
    },
  };
}

function denied(): Error {
  return failure('access-denied', 'You may not.', { retry: 'after-fix', reason: 'denied' });
}

const special = ownAcl('me', user('friend', 'READ'), user('auditor', 'READ_ACP'));

async function copy(keys: readonly string[], isMove: boolean) {
  const items: SelectionItem[] = keys.map((key) => ({ kind: 'key', key }));
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items,
    to: { connectionId: 'c', bucket: rig.otherBucket, prefix: '' },
    options: { onConflict: 'ask', isMove },
  });
  return await rig.settle(jobId ?? '');
}

describe('grants that no canned ACL describes', () => {
  test.each([
    ['a small object', ['a'], 10],
    ['an object copied in parts', ['a'], copyBytes + 1],
    ['many objects', Array.from({ length: 25 }, (_, index) => `n-${index}`), 10],
  ] as const)('are copied with %s that is moved', async (_name, keys, size) => {
    for (const key of keys) {
      await rig.put(key, bytesOf(size, 1));
      acls.set(`${rig.bucket}/${key}`, special);
    }
    expect(await copy(keys, true)).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(await rig.keys()).toEqual([]);
    for (const key of keys) expect(acls.get(`${rig.otherBucket}/${key}`)).toEqual(special);
  });

  test('to the owner are given to the owner of the copy', async () => {
    await rig.put('a', bytesOf(10, 1));
    acls.set(`${rig.bucket}/a`, special);
    writer = 'colleague';
    expect(await copy(['a'], false)).toMatchObject({ state: 'done' });
    expect(acls.get(`${rig.otherBucket}/a`)).toEqual(
      ownAcl('colleague', user('friend', 'READ'), user('auditor', 'READ_ACP')),
    );
  });

  test('that may not be set keep the source of a move, which is reported', async () => {
    await rig.put('a', bytesOf(10, 1));
    acls.set(`${rig.bucket}/a`, special);
    refusal = denied();
    const job = await copy(['a'], true);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    expect(rig.items(job.id)[0]?.error).toMatchObject({ code: 'access-denied', reason: 'acl-not-carried' });
    expect(await rig.keys()).toEqual(['a']);
    refusal = null;
    rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(acls.get(`${rig.otherBucket}/a`)).toEqual(special);
  });

  test('that the service does not implement send no other object through this computer', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `n-${index}`);
    for (const key of keys) await rig.put(key, bytesOf(10, 1));
    acls.set(`${rig.bucket}/n-0`, special);
    refusal = new AppFailure({
      ...failure('unsupported', 'Not implemented.', { retry: 'after-fix', reason: 'not-implemented' }).error,
      s3: { status: 501, code: 'NotImplemented', message: null, requestId: null },
    });
    rig.service.faults.clear();
    const job = await copy(keys, true);
    expect(rig.items(job.id).map(({ error }) => error?.reason ?? null)).toEqual([
      'acl-not-carried',
      ...keys.slice(1).map(() => null),
    ]);
    const asked = rig.service.faults.journal.map(({ operation }) => operation);
    expect(asked).not.toContain('GetObject');
    expect(asked).not.toContain('PutObject');
  });

  test('that may not be set are dropped by a copy, which its log notes', async () => {
    await rig.put('a', bytesOf(10, 1));
    acls.set(`${rig.bucket}/a`, special);
    refusal = denied();
    const job = await copy(['a'], false);
    expect(job).toMatchObject({ state: 'done', outcome: 'copied' });
    const notes = rig.uploads.jobs.attempts(job.id, null, 50).map(({ note }) => note);
    expect(notes).toContain('permissions (ACL) not copied: a');
  });

  test('are set after a crash between the copy and its ACL', async () => {
    await rig.put('a', bytesOf(10, 1));
    acls.set(`${rig.bucket}/a`, special);
    const { promise, resolve } = Promise.withResolvers<void>();
    onGrants = () => {
      resolve();
      throw failure('network', 'Cut.', { retry: 'backoff' });
    };
    const running = copy(['a'], true);
    await promise;
    onGrants = () => undefined;
    await rig.restart();
    expect(await running).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(acls.get(`${rig.otherBucket}/a`)).toEqual(special);
  });

  test.each([
    ['a small object', 10],
    ['an object rewritten in parts', copyBytes + 1],
  ])('are kept when the properties of %s change, also after a broken connection', async (_name, size) => {
    await rig.put('a', bytesOf(size, 1));
    acls.set(`${rig.bucket}/a`, special);
    let breaks = 2;
    onGrants = () => {
      breaks -= 1;
      if (breaks >= 0) throw failure('network', 'Cut.', { retry: 'backoff' });
    };
    const { jobId } = rig.operations.change(
      { connectionId: 'c', bucket: rig.bucket },
      [{ kind: 'key', key: 'a' }],
      { contentType: 'text/x-note' },
    );
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(breaks).toBeLessThan(0);
    expect((await rig.client.headObject({ bucket: rig.bucket, key: 'a' })).contentType).toBe('text/x-note');
    expect(acls.get(`${rig.bucket}/a`)).toEqual(special);
  });
});

function notesOf(jobId: string) {
  return rig.items(jobId).map(({ state, note }) => ({ state, note }));
}

function isSecret(key: string): boolean {
  return Number(key.slice(2)) % 2 === 0;
}

describe('an ACL that may not be read', () => {
  const unread = [{ state: 'done', note: 'acl-unread' }];

  test.each([
    ['a small object that is moved', 10, true],
    ['an object that is moved in parts', copyBytes + 1, true],
    ['a small object that is copied', 10, false],
  ] as const)('is noted on %s', async (_name, size, isMove) => {
    await rig.put('a', bytesOf(size, 1));
    unreadable = denied;
    const job = await copy(['a'], isMove);
    expect(job).toMatchObject({ state: 'done', outcome: isMove ? 'moved' : 'copied' });
    expect(notesOf(job.id)).toEqual(unread);
    expect(rig.transfers.items(job.id, 'noted', 0, 10).items.map(({ key }) => key)).toEqual(['a']);
  });

  test('is noted only on those of many objects that have one', async () => {
    const keys = Array.from({ length: 25 }, (_, index) => `n-${String(index).padStart(2, '0')}`);
    for (const key of keys) {
      await rig.put(key, bytesOf(10, 1));
      acls.set(`${rig.bucket}/${key}`, special);
    }
    unreadable = (key) => (isSecret(key) ? denied() : null);
    const job = await copy(keys, true);
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(job.items?.noted).toBe(13);
    for (const { key, note } of rig.items(job.id))
      expect([key, note]).toEqual([key, isSecret(key) ? 'acl-unread' : null]);
    for (const key of keys)
      expect(acls.get(`${rig.otherBucket}/${key}`)).toEqual(isSecret(key) ? ownAcl('me') : special);
  });

  test('is noted also after a crash between the copy and the deletion of its source', async () => {
    await rig.put('a', bytesOf(10, 1));
    unreadable = denied;
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.wrapClient = (client) => ({
      ...withAcls(client),
      deleteObject: async () => {
        resolve();
        throw failure('network', 'Cut.', { retry: 'backoff' });
      },
    });
    const running = copy(['a'], true);
    await promise;
    rig.wrapClient = withAcls;
    await rig.restart();
    const job = await running;
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(notesOf(job.id)).toEqual(unread);
  });

  test('is noted on an object whose properties change', async () => {
    await rig.put('a', bytesOf(10, 1));
    unreadable = denied;
    const { jobId } = rig.operations.change(
      { connectionId: 'c', bucket: rig.bucket },
      [{ kind: 'key', key: 'a' }],
      { contentType: 'text/x-note' },
    );
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(notesOf(jobId)).toEqual(unread);
  });

  test.each([
    ['a service without ACLs', () => failure('unsupported', 'No.', { reason: 'not-implemented' }), null],
    ['a bucket whose objects have no ACLs', denied, '<ObjectOwnership>BucketOwnerEnforced</ObjectOwnership>'],
  ] as const)('is not noted on %s', async (_name, error, says) => {
    await rig.put('a', bytesOf(10, 1));
    unreadable = error;
    ownership = says;
    const job = await copy(['a'], true);
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(notesOf(job.id)).toEqual([{ state: 'done', note: null }]);
  });
});

test('an object that is deleted during a copy fails alone, not with those that wait to know whether the service has ACLs', async () => {
  const keys = Array.from({ length: 8 }, (_, index) => `n-${index}`);
  for (const key of keys) await rig.put(key, bytesOf(10, 1));
  unreadable = (key) =>
    key === 'n-0' ? failure('not-found', 'There is no such key.', { reason: 'no-such-key' }) : null;
  const job = await copy(keys, false);
  expect(rig.items(job.id).map(({ state }) => state)).toEqual(['failed', ...keys.slice(1).map(() => 'done')]);
});
