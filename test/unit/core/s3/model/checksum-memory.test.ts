import { expect, test } from 'vitest';
import { ChecksumMemory } from '../../../../../electron/core/s3/model/checksum-memory.ts';

const crc64 = { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' };
const crc32c = { 'x-amz-checksum-crc32c': 'AAAAAA==' };

test('no checksum is sent before the service has named one', () => {
  const memory = new ChecksumMemory(null);
  expect([memory.algorithm, memory.of(new Uint8Array(3)), memory.ofUploads]).toEqual([null, {}, {}]);
  memory.learn({}, { 'x-amz-checksum-sha256': 'x', etag: '"1"' });
  expect(memory.algorithm).toBeNull();
});

test('the checksum that the service names is sent, CRC-64/NVME before CRC-32C', () => {
  const memory = new ChecksumMemory(null);
  memory.learn({}, crc32c);
  expect([memory.algorithm, memory.of(new Uint8Array(0))]).toEqual(['crc32c', { crc32c: 'AAAAAA==' }]);
  memory.learn({}, crc64);
  expect(memory.ofUploads).toEqual({ checksumAlgorithm: 'crc64nvme' });
});

test('a checksum that the response to a write leaves out is not sent again', () => {
  const memory = new ChecksumMemory('crc64nvme');
  expect(memory.algorithm).toBe('crc64nvme');
  memory.learn(crc64, { etag: '"1"' });
  expect(memory.algorithm).toBeNull();
});

test('only a provider that documents its checksums is trusted not to repeat those of the request', () => {
  expect(new ChecksumMemory('crc64nvme').mayEcho({ crc64nvme: 'x' })).toBe(false);
  expect(new ChecksumMemory(null).mayEcho({ crc64nvme: 'x' })).toBe(true);
  expect(new ChecksumMemory(null).mayEcho({})).toBe(false);
});
