import { describe, expect, test } from 'vitest';
import {
  notedAclUnread,
  notedEncryption,
  hasLostKey,
  keyOfHead,
  type ObjectKey,
} from '../../../../../electron/core/operations/objects/encryption.ts';
import { itemNotes } from '../../../../../shared/models/transfers.ts';

const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234-abcd';
const kms = 'x-amz-server-side-encryption';
const keyId = 'x-amz-server-side-encryption-aws-kms-key-id';

function of(headers: Readonly<Record<string, string>>): ObjectKey | null {
  return keyOfHead({ headers });
}

describe('the encryption key of an object', () => {
  test('is a KMS or customer key, not one that the service manages', () => {
    expect(of({})).toBeNull();
    expect(of({ [kms]: 'AES256' })).toBeNull();
    expect(of({ [kms]: 'aws:kms', [keyId]: arn })).toEqual({ algorithm: 'aws:kms', keyId: arn });
    expect(of({ [kms]: 'aws:kms:dsse' })).toEqual({ algorithm: 'aws:kms:dsse', keyId: null });
    expect(
      of({
        'x-amz-server-side-encryption-customer-algorithm': 'AES256',
        'x-amz-server-side-encryption-customer-key-md5': 'digest',
      }),
    ).toEqual({ algorithm: 'customer', keyId: 'digest' });
  });

  const before: ObjectKey = { algorithm: 'aws:kms', keyId: arn };
  test.each<readonly [string, ObjectKey | null, ObjectKey | null, boolean]>([
    ['there was none before', null, null, false],
    ['only the copy has one', null, before, false],
    ['it is unchanged', before, { ...before }, false],
    ['the copy has none', before, null, true],
    ['the copy has another key', before, { ...before, keyId: arn.replace('1234', '5678') }, true],
    [
      'the copy has a key of the same id in another region',
      before,
      { ...before, keyId: arn.replace('eu-', 'us-') },
      true,
    ],
    ['the algorithm changes', before, { ...before, algorithm: 'aws:kms:dsse' }, true],
    ['the copy names it by its short id', before, { ...before, keyId: '1234-abcd' }, false],
    ['the copy names it by its ARN', { ...before, keyId: '1234-abcd' }, before, false],
    ['the copy does not name it', before, { ...before, keyId: null }, true],
    ['the original did not name it', { ...before, keyId: null }, before, false],
    ['a customer key is missing', { algorithm: 'customer', keyId: 'digest' }, null, true],
  ])('counts as lost or kept if %s', (_case, was, is, isLost) => {
    expect(hasLostKey(was, is)).toBe(isLost);
  });
});

describe('the note of an item', () => {
  test('combines an unread ACL with a changed encryption', () => {
    const both = 'acl-unread-encryption-changed';
    expect(notedEncryption(notedAclUnread(null), true)).toBe(both);
    expect(notedAclUnread(notedEncryption(null, true))).toBe(both);
    expect(notedEncryption(both, true)).toBe(both);
    expect(notedAclUnread(both)).toBe(both);
  });

  test('drops the changed encryption if a new copy has its key', () => {
    expect(notedEncryption('encryption-changed', false)).toBeNull();
    expect(notedEncryption('acl-unread-encryption-changed', false)).toBe('acl-unread');
    for (const note of [null, ...itemNotes.filter((other) => !other.includes('encryption'))])
      expect(notedEncryption(note, false)).toBe(note);
  });

  test("replaces a note about the user's choice with one about a loss", () => {
    expect(notedEncryption('renamed', true)).toBe('encryption-changed');
    expect(notedAclUnread('renamed')).toBe('acl-unread');
  });
});
