import { describe, expect, test } from 'vitest';
import {
  setCannedAcl,
  setLegalHold,
  setRetention,
  setTags,
} from '../../../../electron/core/s3/conditions/proved-change.ts';
import type { ObjectAcl, ObjectTag } from '../../../../electron/core/s3/model/property-types.ts';
import { failure } from '../../../../shared/errors.ts';

const ref = { bucket: 'b', key: 'k' };
const red = [{ key: 'colour', value: 'red' }];
const notStored = { error: { reason: 'change-not-stored' } };
const denied = () => Promise.reject(failure('access-denied', 'No.'));

/** An object's tags; `isKept` returns true for requests that the service reports as successful but ignores. */
function tagged(tags: readonly ObjectTag[], isKept: (request: 'PUT' | 'DELETE') => boolean) {
  let stored = tags;
  const requests: string[] = [];
  return {
    requests,
    getObjectTags: () => Promise.resolve(stored),
    putObjectTags: (input: { readonly tags: readonly ObjectTag[]; readonly asEmptySet?: boolean }) => {
      const request = input.tags.length === 0 && input.asEmptySet !== true ? 'DELETE' : 'PUT';
      requests.push(request);
      if (!isKept(request)) stored = input.tags;
      return Promise.resolve();
    },
  };
}

describe('setting tags', () => {
  test('reads them back once if the service stores them', async () => {
    const service = tagged([], () => false);
    expect(await setTags(service, ref, red)).toBe('read-back');
    expect(await setTags(service, ref, [])).toBe('read-back');
    expect(service.requests).toEqual(['PUT', 'DELETE']);
  });

  test('removes them with an empty set if the service ignores or denies their deletion', async () => {
    const ceph = tagged(red, (request) => request === 'DELETE');
    expect(await setTags(ceph, ref, [])).toBe('read-back');
    expect(ceph.requests).toEqual(['DELETE', 'PUT']);
    const other = tagged(red, () => false);
    const mayNotDelete = {
      ...other,
      putObjectTags: (input: Parameters<typeof other.putObjectTags>[0]) =>
        input.asEmptySet === true ? other.putObjectTags(input) : denied(),
    };
    expect(await setTags(mayNotDelete, ref, [])).toBe('read-back');
  });

  test('fails if the service does not store them, and is unread if it does not show them', async () => {
    await expect(
      setTags(
        tagged(red, () => true),
        ref,
        [],
      ),
    ).rejects.toMatchObject(notStored);
    await expect(
      setTags(
        tagged([], () => true),
        ref,
        red,
      ),
    ).rejects.toMatchObject(notStored);
    expect(await setTags({ ...tagged([], () => false), getObjectTags: denied }, ref, red)).toBe('unread');
  });
});

const everyone = 'http://acs.amazonaws.com/groups/global/AllUsers';
const aclOf = (...permissions: readonly string[]): ObjectAcl => ({
  owner: { id: '1', displayName: null },
  grants: permissions.map((permission) => ({ grantee: { kind: 'group', uri: everyone }, permission })),
});

const client = (acl: ObjectAcl) => ({
  putObjectAcl: () => Promise.resolve(),
  getObjectAcl: () => Promise.resolve(acl),
});

test('setting a canned ACL succeeds only if exactly its grants are read back', async () => {
  expect(await setCannedAcl(client(aclOf('READ')), ref, 'public-read')).toBe('read-back');
  expect(await setCannedAcl(client(aclOf()), ref, 'private')).toBe('read-back');
  await expect(setCannedAcl(client(aclOf()), ref, 'public-read')).rejects.toMatchObject(notStored);
  await expect(setCannedAcl(client(aclOf('READ')), ref, 'private')).rejects.toMatchObject(notStored);
});

test('setting a retention or hold succeeds only if mode and date, or the hold, are read back', async () => {
  const until = '2030-01-01T00:00:00.500Z';
  const found = { mode: 'GOVERNANCE', until: '2030-01-01T00:00:00.000Z' } as const;
  const locks = {
    putObjectRetention: () => Promise.resolve(),
    getObjectRetention: () => Promise.resolve(found),
    putObjectLegalHold: () => Promise.resolve(),
    getObjectLegalHold: () => Promise.resolve(true),
  };
  const wanted = { ...ref, bypassGovernance: false };
  expect(await setRetention(locks, { ...wanted, retention: { mode: 'GOVERNANCE', until } })).toBe(
    'read-back',
  );
  for (const retention of [null, { mode: 'COMPLIANCE', until } as const])
    await expect(setRetention(locks, { ...wanted, retention })).rejects.toMatchObject(notStored);
  expect(await setLegalHold(locks, { ...ref, on: true })).toBe('read-back');
  await expect(setLegalHold(locks, { ...ref, on: false })).rejects.toMatchObject(notStored);
});
