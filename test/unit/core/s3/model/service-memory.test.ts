import { expect, test } from 'vitest';
import { memoryRefusals, refusalLifetimeMs } from '../../../../../electron/core/s3/model/service-memory.ts';
import { checksumMemory } from '../../../../support/core/checksum-memory.ts';

const crc64 = { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' };
const crc32c = { 'x-amz-checksum-crc32c': 'AAAAAA==' };

test('no checksum is sent before the service has named one', () => {
  const memory = checksumMemory();
  expect([memory.algorithm, memory.of(new Uint8Array(3)), memory.ofUploads]).toEqual([null, {}, {}]);
  memory.learn({}, { 'x-amz-checksum-sha256': 'x', etag: '"1"' });
  expect(memory.algorithm).toBeNull();
});

test('the checksum that the service names is sent, CRC-64/NVME before CRC-32C', () => {
  const memory = checksumMemory();
  memory.learn({}, crc32c);
  expect([memory.algorithm, memory.of(new Uint8Array(0))]).toEqual(['crc32c', { crc32c: 'AAAAAA==' }]);
  memory.learn({}, crc64);
  expect(memory.ofUploads).toEqual({ checksumAlgorithm: 'crc64nvme' });
});

test('a checksum that the response to a write leaves out is not sent again', () => {
  const memory = checksumMemory('crc64nvme');
  expect(memory.algorithm).toBe('crc64nvme');
  memory.learn(crc64, { etag: '"1"' });
  expect(memory.algorithm).toBeNull();
});

test('only a provider that documents its checksums is trusted not to repeat those of the request', () => {
  expect(checksumMemory('crc64nvme').mayEcho({ crc64nvme: 'x' })).toBe(false);
  expect(checksumMemory().mayEcho({ crc64nvme: 'x' })).toBe(true);
  expect(checksumMemory().mayEcho({})).toBe(false);
});

test('a restart keeps which checksum the service names and which one it ignores', () => {
  const store = memoryRefusals();
  const first = checksumMemory(null, store);
  first.learn({}, { ...crc64, ...crc32c });
  first.learn(crc64, { etag: '"1"' });
  expect(checksumMemory(null, store).algorithm).toBe('crc32c');
});

test('an ignored checksum is sent again after a week, also without a restart', () => {
  let nowMs = 0;
  const memory = checksumMemory('crc64nvme', memoryRefusals(), () => nowMs);
  memory.learn(crc64, { etag: '"1"' });
  nowMs = refusalLifetimeMs - 1;
  expect(memory.algorithm).toBeNull();
  nowMs = refusalLifetimeMs;
  expect(memory.algorithm).toBe('crc64nvme');
});

test('the time of the last response that names a checksum is stored, at most once a day', () => {
  const store = memoryRefusals();
  const puts: number[] = [];
  const counting = {
    ...store,
    put: (name: string, fact: { atMs: number; limit: null }) => {
      puts.push(fact.atMs);
      store.put(name, fact);
    },
  };
  let nowMs = 0;
  const memory = checksumMemory(null, counting, () => nowMs);
  const hourMs = 3_600_000;
  for (nowMs = 0; nowMs < 50 * hourMs; nowMs += hourMs) memory.learn({}, crc64);
  expect(puts).toEqual([0, 24 * hourMs, 48 * hourMs]);
});
