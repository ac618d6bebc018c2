import { createHash } from 'node:crypto';
import { assert as assertProperty, nat, property, stringMatching } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describedBytes, proofOfWrite } from '../../../../../electron/core/s3/model/object-proof.ts';

const md5 = createHash('md5').update('sent').digest('hex');
const other = createHash('md5').update('stored').digest('hex');
const sent = { sizeBytes: 4, md5, checksums: { crc32c: 'AAAAAA==' } };

describe('the proof of a write', () => {
  test.each([
    ['the MD5 in quotes', `"${md5}"`],
    ['the MD5 in upper case', `"${md5.toUpperCase()}"`],
    ['a weakened MD5', `W/"${md5}"`],
  ])('succeeds for %s', (_what, etag) => {
    expect(proofOfWrite(sent, { etag })).toEqual({ kind: 'proved', by: 'etag' });
  });

  test('fails as damaged if the ETag is another MD5', () => {
    expect(proofOfWrite(sent, { etag: `"${other}"` })).toEqual({
      kind: 'damaged',
      difference: { what: 'md5', expected: md5, got: other },
    });
  });

  test('is missing if the ETag hides the MD5', () => {
    expect(proofOfWrite(sent, { etag: `"${other}"`, etagHidesMd5: true })).toEqual({
      kind: 'unproved',
      by: null,
    });
  });

  test('fails as damaged if an echoed checksum contradicts another MD5', () => {
    const stored = { etag: `"${other}"`, checksums: sent.checksums };
    expect(proofOfWrite({ ...sent, mayBeEchoed: true }, stored)).toMatchObject({ kind: 'damaged' });
    expect(proofOfWrite(sent, stored)).toEqual({ kind: 'proved', by: 'checksum' });
    expect(proofOfWrite({ ...sent, mayBeEchoed: true }, { ...stored, etagHidesMd5: true })).toEqual({
      kind: 'proved',
      by: 'checksum',
    });
  });

  test.each([[null], [''], ['""'], ['W/""'], [`"${other}-2"`], ['"AIjXfGhk"']])(
    'is missing, not damaged, for the ETag %s',
    (etag) => {
      expect(proofOfWrite(sent, { etag })).toEqual({ kind: 'unproved', by: null });
      expect(proofOfWrite(sent, { etag, sizeBytes: 4 })).toEqual({ kind: 'unproved', by: 'size' });
    },
  );

  test('fails as damaged for another length, whatever the ETag is', () => {
    expect(proofOfWrite(sent, { etag: `"${md5}"`, sizeBytes: 3 })).toMatchObject({
      kind: 'damaged',
      difference: { what: 'length', expected: '4', got: '3' },
    });
  });

  test('is decided by a checksum if the ETag differs', () => {
    const etag = `"${other}"`;
    expect(proofOfWrite(sent, { etag, checksums: { crc32c: 'AAAAAA==' } })).toEqual({
      kind: 'proved',
      by: 'checksum',
    });
    expect(proofOfWrite(sent, { etag, checksums: { crc32c: 'BBBBBB==' } })).toMatchObject({
      kind: 'damaged',
      difference: { what: 'checksum' },
    });
  });

  test('is missing for a checksum composed of part checksums', () => {
    expect(proofOfWrite(sent, { etag: null, checksums: { crc32c: 'BBBBBB==-2' } })).toEqual({
      kind: 'unproved',
      by: null,
    });
  });

  test("succeeds for a copy with the source's ETag, also one of parts", () => {
    const source = describedBytes({ sizeBytes: 9, etag: `"${other}-2"`, headers: {} });
    expect(proofOfWrite(source, { etag: `"${other}-2"`, sizeBytes: 9 })).toEqual({
      kind: 'proved',
      by: 'etag',
    });
    expect(proofOfWrite(source, { etag: `"${md5}"`, sizeBytes: 9 }).kind).toBe('unproved');
  });

  test('never succeeds for other bytes than the service reports', () => {
    const hex = stringMatching(/^[0-9a-f]{32}$/);
    assertProperty(
      property(hex, hex, nat(), (mine, theirs, sizeBytes) => {
        const proof = proofOfWrite({ sizeBytes, md5: mine }, { etag: `"${theirs}"` });
        expect(proof.kind).toBe(mine === theirs ? 'proved' : 'damaged');
      }),
    );
  });
});
