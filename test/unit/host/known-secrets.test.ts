import { expect, test } from 'vitest';
import { memorySecrets } from '../../support/core/memory-secrets.ts';
import { knownSecrets, recordingSecrets } from '../../../electron/host/known-secrets.ts';

test('secrets are known for redaction once set or read, including the parts of records', async () => {
  const kept = memorySecrets();
  await kept.set('before', 'a-secret-of-before');
  const known = knownSecrets();
  const secrets = recordingSecrets(kept, known);
  expect(known.all).toEqual([]);
  await secrets.set('now', 'a-secret-of-now');
  expect(await secrets.get('before')).toBe('a-secret-of-before');
  await secrets.set('keys', JSON.stringify([{ name: 'Mine', key: 'a-customer-key' }]));
  await secrets.set('odd', '{not a record');
  await secrets.delete('now');
  expect(await kept.get('now')).toBeNull();
  expect(known.all).toEqual(
    expect.arrayContaining(['a-secret-of-now', 'a-secret-of-before', 'a-customer-key', '{not a record']),
  );
  // A deleted secret stays known, since a later log line may still contain it.
  expect(known.all).toContain('a-secret-of-now');
  // Common words are not treated as secrets, or the log would be full of gaps.
  expect(known.all).not.toContain('Mine');
});
