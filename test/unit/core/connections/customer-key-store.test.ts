import { expect, test } from 'vitest';
import {
  boundToEndpoint,
  createCustomerKeys,
} from '../../../../electron/core/connections/customer-key-store.ts';
import { memorySecrets } from '../../../support/core/memory-secrets.ts';

const key = Buffer.alloc(32, 7).toString('base64');

test('a stored customer key is listed only by name and digest', async () => {
  const keys = createCustomerKeys(memorySecrets(), () => Promise.resolve('https://s3.test'));
  const added = await keys.add({ connectionId: 'c', name: 'Mine', key: ` ${key}\n` });
  expect(await keys.list('c')).toEqual([{ name: 'Mine', md5: added.md5 }]);
  expect(JSON.stringify(await keys.list('c'))).not.toContain(key);
  expect(await keys.use('c', added.md5, 'b')).toEqual({ key, md5: added.md5 });
  expect(await keys.ofBucket('c', 'b')).toEqual([{ key, md5: added.md5 }]);
  expect(await keys.list('another')).toEqual([]);
});

test('adding a customer key again renames it, and a removed one is gone', async () => {
  const keys = createCustomerKeys(memorySecrets(), () => Promise.resolve('https://s3.test'));
  await keys.add({ connectionId: 'c', name: 'Mine', key });
  const { md5 } = await keys.add({ connectionId: 'c', name: 'Ours', key });
  expect(await keys.list('c')).toEqual([{ name: 'Ours', md5 }]);
  await keys.remove({ connectionId: 'c', md5 });
  expect(await keys.list('c')).toEqual([]);
});

test.each(['', 'short', Buffer.alloc(31).toString('base64'), `${key}=`, key.slice(0, -1)])(
  'an invalid customer key is refused: %j',
  async (text) => {
    const keys = createCustomerKeys(memorySecrets(), () => Promise.resolve('https://s3.test'));
    await expect(keys.add({ connectionId: 'c', name: 'n', key: text })).rejects.toMatchObject({
      error: { reason: 'customer-key-invalid' },
    });
    expect(await keys.list('c')).toEqual([]);
  },
);

test('a customer key is offered only for the buckets it was added for or used in', async () => {
  const keys = createCustomerKeys(memorySecrets(), () => Promise.resolve('https://s3.test'));
  const { md5 } = await keys.add({ connectionId: 'c', name: 'Mine', key, bucket: 'a' });
  expect(await keys.ofBucket('c', 'a')).toHaveLength(1);
  expect(await keys.ofBucket('c', 'b')).toEqual([]);
  await keys.use('c', md5, 'b');
  expect(await keys.ofBucket('c', 'b')).toHaveLength(1);
  await keys.add({ connectionId: 'c', name: 'Still mine', key, bucket: 'd' });
  for (const bucket of ['a', 'b', 'd']) expect(await keys.ofBucket('c', bucket)).toHaveLength(1);
  expect(await keys.ofBucket('c', 'e')).toEqual([]);
});

test('a customer key is offered only at the endpoint it was added for, and again after switching back', async () => {
  let endpoint = 'https://s3.test';
  const keys = createCustomerKeys(memorySecrets(), () => Promise.resolve(endpoint));
  const { md5 } = await keys.add({ connectionId: 'c', name: 'Mine', key, bucket: 'a' });
  endpoint = 'https://evil.test';
  expect(await keys.list('c')).toEqual([]);
  expect(await keys.ofBucket('c', 'a')).toEqual([]);
  expect(await keys.use('c', md5, 'a')).toBeNull();
  await keys.remove({ connectionId: 'c', md5 });
  endpoint = 'https://s3.test';
  expect(await keys.ofBucket('c', 'a')).toHaveLength(1);
});

test('a customer key of an earlier version is offered for all buckets of its endpoint', async () => {
  const secrets = memorySecrets();
  await secrets.set('connection:c:customer-keys', JSON.stringify([{ name: 'Old', key }]));
  let endpoint = 'https://s3.test';
  const keys = createCustomerKeys(secrets, () => Promise.resolve(endpoint));
  expect(await keys.ofBucket('c', 'any')).toHaveLength(1);
  const bound = boundToEndpoint(await secrets.get('connection:c:customer-keys'), endpoint);
  await secrets.set('connection:c:customer-keys', bound ?? '');
  endpoint = 'https://evil.test';
  expect(await keys.ofBucket('c', 'any')).toEqual([]);
});

test.each([undefined, 'd'])(
  'a customer key of an earlier version is still offered for all buckets after adding it again (bucket: %s)',
  async (bucket) => {
    const secrets = memorySecrets();
    await secrets.set('connection:c:customer-keys', JSON.stringify([{ name: 'Old', key }]));
    const keys = createCustomerKeys(secrets, () => Promise.resolve('https://s3.test'));
    const { md5 } = await keys.add({ connectionId: 'c', name: 'New', key, bucket });
    expect(await keys.list('c')).toEqual([{ name: 'New', md5 }]);
    for (const used of ['a', 'd']) expect(await keys.ofBucket('c', used)).toHaveLength(1);
  },
);
