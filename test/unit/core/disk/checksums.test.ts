import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startChecksum, type ChecksumAlgorithm } from '../../../../electron/core/disk/checksums.ts';

const digits = new TextEncoder().encode('123456789');

function checksumOf(algorithm: ChecksumAlgorithm, pieces: readonly Uint8Array[]): string {
  const checksum = startChecksum(algorithm);
  for (const piece of pieces) checksum.update(piece);
  return checksum.digest();
}

function hexOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string {
  return Buffer.from(checksumOf(algorithm, [bytes]), 'base64').toString('hex');
}

// The check values of https://reveng.sourceforge.io/crc-catalogue/all.htm.
test('the CRCs of "123456789" match the CRC catalogue\'s check values', () => {
  expect(hexOf('crc32', digits)).toBe('cbf43926');
  expect(hexOf('crc32c', digits)).toBe('e3069283');
  expect(hexOf('crc64nvme', digits)).toBe('ae8b14860a799888');
});

// RFC 3720, appendix B.4.
test('the CRC-32C of 32 bytes matches the examples of iSCSI', () => {
  expect(hexOf('crc32c', new Uint8Array(32))).toBe('8a9136aa');
  expect(hexOf('crc32c', new Uint8Array(32).fill(0xff))).toBe('62a8ab43');
  expect(
    hexOf(
      'crc32c',
      Uint8Array.from({ length: 32 }, (_, index) => index),
    ),
  ).toBe('46dd794e');
});

test.each<ChecksumAlgorithm>(['crc32c', 'crc64nvme'])(
  '%s is the same for any division of the bytes',
  (name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.array(fc.nat(100)), (bytes, cuts) => {
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
          bytes.length,
        ];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        // Pieces of one byte use only the first lookup table, so they check the code for longer pieces.
        const single = [...bytes].map((byte) => Uint8Array.of(byte));
        expect(checksumOf(name, pieces)).toBe(checksumOf(name, single));
      }),
      { numRuns: 200 },
    );
  },
);
