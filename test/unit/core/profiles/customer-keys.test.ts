import { expect, test } from 'vitest';
import { createCustomerKeys } from '../../../../electron/core/profiles/customer-keys.ts';
import { memorySecrets } from '../../../../electron/core/profiles/memory-secrets.ts';

const key = Buffer.alloc(32, 7).toString('base64');

test('a key goes in, and comes out by name and digest alone', async () => {
  const keys = createCustomerKeys(memorySecrets());
  const added = await keys.add({ connectionId: 'c', name: 'Mine', key: ` ${key}\n` });
  expect(await keys.list('c')).toEqual([{ name: 'Mine', md5: added.md5 }]);
  expect(JSON.stringify(await keys.list('c'))).not.toContain(key);
  expect(await keys.all('c')).toEqual([{ key, md5: added.md5 }]);
  expect(await keys.list('another')).toEqual([]);
});

test('the same key again gets another name; a removed one is gone', async () => {
  const keys = createCustomerKeys(memorySecrets());
  await keys.add({ connectionId: 'c', name: 'Mine', key });
  const { md5 } = await keys.add({ connectionId: 'c', name: 'Ours', key });
  expect(await keys.list('c')).toEqual([{ name: 'Ours', md5 }]);
  await keys.remove({ connectionId: 'c', md5 });
  expect(await keys.list('c')).toEqual([]);
});

test.each(['', 'short', Buffer.alloc(31).toString('base64'), `${key}=`, key.slice(0, -1)])(
  'what is no key is refused: %j',
  async (text) => {
    const keys = createCustomerKeys(memorySecrets());
    await expect(keys.add({ connectionId: 'c', name: 'n', key: text })).rejects.toMatchObject({
      error: { reason: 'customer-key-invalid' },
    });
    expect(await keys.list('c')).toEqual([]);
  },
);
