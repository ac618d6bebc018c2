import { expect, test } from 'vitest';
import { newRequestIds } from '../../../electron/service/dispatch.ts';

test('request ids are as long as those of S3 and unique', () => {
  const ids = Array.from({ length: 1000 }, () => newRequestIds());
  for (const { requestId, hostId } of ids) {
    expect(requestId).toMatch(/^[0-9A-F]{16}$/);
    expect(Buffer.from(hostId, 'base64')).toHaveLength(24);
  }
  expect(new Set(ids.map(({ requestId }) => requestId)).size).toBe(1000);
  expect(new Set(ids.map(({ hostId }) => hostId)).size).toBe(1000);
});
