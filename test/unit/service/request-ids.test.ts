import { expect, test } from 'vitest';
import { newRequestIds } from '../../../electron/service/request-ids.ts';

test('ids of requests are as long as those of S3, and no two are alike', () => {
  const ids = Array.from({ length: 1000 }, () => newRequestIds());
  for (const { requestId, hostId } of ids) {
    expect(requestId).toMatch(/^[0-9A-F]{16}$/);
    expect(Buffer.from(hostId, 'base64')).toHaveLength(24);
  }
  expect(new Set(ids.map(({ requestId }) => requestId)).size).toBe(1000);
  expect(new Set(ids.map(({ hostId }) => hostId)).size).toBe(1000);
});
