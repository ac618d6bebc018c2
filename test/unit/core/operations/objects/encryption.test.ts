import { describe, expect, test } from 'vitest';
import {
  hasLostKey,
  keyOfHead,
  type ObjectKey,
} from '../../../../../electron/core/operations/objects/encryption.ts';
import { notedAclUnread, notedEncryption } from '../../../../../electron/core/operations/objects/notes.ts';
import { itemNotes } from '../../../../../shared/models/transfers.ts';

const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234-abcd';
const kms = 'x-amz-server-side-encryption';
const keyId = 'x-amz-server-side-encryption-aws-kms-key-id';

function of(headers: Readonly<Record<string, string>>): ObjectKey | null {
  return keyOfHead({ headers });
}

describe('the key that an object is encrypted with', () => {
  test('is one of KMS, or a customer’s, and not one of the service itself', () => {
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
    ['there was none', null, null, false],
    ['there was none, and there is one now', null, before, false],
    ['it is the same', before, { ...before }, false],
    ['it is gone', before, null, true],
    ['it is another', before, { ...before, keyId: arn.replace('1234', '5678') }, true],
    ['it is one of that name elsewhere', before, { ...before, keyId: arn.replace('eu-', 'us-') }, true],
    ['the way is another', before, { ...before, algorithm: 'aws:kms:dsse' }, true],
    ['it is named shortly', before, { ...before, keyId: '1234-abcd' }, false],
    ['it is named at length', { ...before, keyId: '1234-abcd' }, before, false],
    ['it is not named any more', before, { ...before, keyId: null }, true],
    ['it was not named', { ...before, keyId: null }, before, false],
    ['a customer’s is gone', { algorithm: 'customer', keyId: 'digest' }, null, true],
  ])('is lost or not where %s', (_case, was, is, isLost) => {
    expect(hasLostKey(was, is)).toBe(isLost);
  });
});

describe('what is noted of an item', () => {
  test('keeps both: what nobody could read, and how the copy is encrypted', () => {
    const both = 'acl-unread-encryption-changed';
    expect(notedEncryption(notedAclUnread(null), true)).toBe(both);
    expect(notedAclUnread(notedEncryption(null, true))).toBe(both);
    expect(notedEncryption(both, true)).toBe(both);
    expect(notedAclUnread(both)).toBe(both);
  });

  test('says of the encryption what is so now: a copy that was made anew may have its key', () => {
    expect(notedEncryption('encryption-changed', false)).toBeNull();
    expect(notedEncryption('acl-unread-encryption-changed', false)).toBe('acl-unread');
    for (const note of [null, ...itemNotes.filter((one) => !one.includes('encryption'))])
      expect(notedEncryption(note, false)).toBe(note);
  });

  test('puts what nobody has chosen before what was chosen', () => {
    expect(notedEncryption('renamed', true)).toBe('encryption-changed');
    expect(notedAclUnread('renamed')).toBe('acl-unread');
  });
});
