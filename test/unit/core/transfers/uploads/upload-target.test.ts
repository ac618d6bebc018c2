import { describe, expect, test } from 'vitest';
import {
  verdictOnTarget,
  type PresentObject,
} from '../../../../../electron/core/transfers/uploads/upload-target.ts';
import type { JobFile } from '../../../../../electron/core/disk/local-file.ts';

const hourMs = 3_600_000;
const fileMs = Date.UTC(2026, 0, 2);

const file: JobFile = {
  path: '/a',
  name: 'a',
  sizeBytes: 3,
  mtimeNs: String(BigInt(fileMs) * 1_000_000n),
  inode: '1',
};

function objectModifiedAt(modifiedMs: number | null): PresentObject {
  return {
    kind: 'present',
    sizeBytes: 5,
    etag: '"0cc175b9c0f1b6a831c399e269772661"',
    lastModified: modifiedMs === null ? null : new Date(modifiedMs).toISOString(),
    versionId: null,
    etagIsNotMd5: false,
  };
}

describe('an upload whose key holds another object', () => {
  test.each([
    ['overwrite', 'replace'],
    ['skip', 'skip'],
    ['rename', 'rename'],
    ['ask', 'ask'],
  ] as const)('under the policy %s becomes: %s, whichever side is newer', (policy, verdict) => {
    for (const modifiedMs of [fileMs - hourMs, fileMs + hourMs, null])
      expect(verdictOnTarget(policy, file, objectModifiedAt(modifiedMs))).toBe(verdict);
  });

  test.each([
    ['older than the file', fileMs - hourMs, 'replace'],
    ['newer than the file', fileMs + hourMs, 'skip'],
    ['as old as the file', fileMs, 'skip'],
    ['of unknown age', null, 'skip'],
  ] as const)('under the policy newer, an object %s', (_name, modifiedMs, verdict) => {
    expect(verdictOnTarget('newer', file, objectModifiedAt(modifiedMs))).toBe(verdict);
  });
});
