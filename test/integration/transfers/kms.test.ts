import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Encryption } from '../../../shared/models/transfers.ts';
import { KmsService, underKey } from '../../support/servers/kms-service.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, pieceBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';

const encryption: Encryption = { kind: 'kms', keyId: 'key-1' };
const asked = underKey('key-1');

let rig: TransferRig;
let kms: KmsService;

rigOfFile((started) => {
  rig = started;
});
beforeEach(() => {
  kms = new KmsService({ hidesEtags: true });
  rig.wrapClient = (client) => kms.around(client);
});

const sizes = [
  ['in one piece', 1000],
  ['in parts', 3 * smallestPart + 5],
] as const;

async function sent(size: number): Promise<Buffer> {
  const bytes = bytesOf(size, 1);
  const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)], { encryption }));
  expect(job).toMatchObject({ state: 'done', outcome: 'uploaded', items: { failed: 0 } });
  return bytes;
}

/** Renames the object and checks that it is encrypted with the same key afterwards. */
async function renameKept(): Promise<void> {
  const { jobId } = rig.operations.rename({
    connectionId: 'c',
    bucket: rig.bucket,
    item: { kind: 'key', key: 'a.bin' },
    newName: 'b.bin',
    onConflict: 'ask',
  });
  expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', outcome: 'renamed' });
  expect(kms.encrypted.get(`${rig.bucket}/b.bin`)).toEqual(asked);
}

describe.each(sizes)('an object under KMS, sent %s,', (_name, size) => {
  test('is encrypted as requested, and its ETag is not taken for an MD5 on download', async () => {
    const bytes = await sent(size);
    expect(kms.encrypted.get(`${rig.bucket}/a.bin`)).toEqual(asked);
    const job = await rig.settle(await rig.download([{ kind: 'key', key: 'a.bin' }]));
    expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
    // The bytes could not be verified, and the item does not claim that they were.
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: null }]);
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(bytes)).toBe(true);
  });

  test('counts neither as another object nor as the same one when it is sent again', async () => {
    await sent(size);
    const job = await rig.settle(await rig.upload([path.join(rig.sendDir, 'a.bin')], { encryption }));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
  });

  test('keeps its key when renamed and when its properties change', async () => {
    const bytes = await sent(size);
    await renameKept();
    const changed = rig.operations.change(
      { connectionId: 'c', bucket: rig.bucket },
      [{ kind: 'key', key: 'b.bin' }],
      { contentType: 'text/x-note' },
    );
    expect(await rig.settle(changed.jobId)).toMatchObject({ state: 'done' });
    expect(kms.encrypted.get(`${rig.bucket}/b.bin`)).toEqual(asked);
    expect((await rig.object('b.bin'))?.equals(bytes)).toBe(true);
  });
});

test('an object under KMS is downloaded completely in ranged pieces', async () => {
  const bytes = await sent(4 * pieceBytes + 7);
  const job = await rig.settle(await rig.download([{ kind: 'key', key: 'a.bin' }]));
  expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
  expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(bytes)).toBe(true);
});

test('an object under KMS that is copied in parts keeps its key', async () => {
  const bytes = await sent(copyBytes + 1);
  await renameKept();
  expect((await rig.object('b.bin'))?.equals(bytes)).toBe(true);
});
