import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { GetObjectInput, ObjectRef } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { pieceBytes, TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start();
});
afterAll(async () => {
  await rig.close();
});

const real = <Ref extends ObjectRef>({ versionId, ...ref }: Ref): Ref => {
  if (versionId === undefined) throw failure('not-found', 'The current version was not meant.');
  return { ...ref, key: `${ref.key}@${versionId}` } as unknown as Ref;
};

/** Simulates versions by storing each as another key, to check that every request passes on the version id. */
function withVersions(client: S3Client): S3Client {
  return {
    ...client,
    headObject: async (ref, options) => await client.headObject(real(ref), options),
    getObject: async (input, options) => await client.getObject(real<GetObjectInput>(input), options),
  };
}

test.each([
  ['small', 100],
  ['in pieces', 3 * pieceBytes + 17],
])('the chosen version is downloaded, not the current one: %s', async (_, sizeBytes) => {
  await rig.reset();
  const bytes = bytesOf(sizeBytes, 5);
  await rig.put('a/b.bin@old 1', bytes);
  rig.wrapClient = withVersions;
  const job = await rig.settle(
    await rig.download([{ kind: 'key', key: 'a/b.bin', versionId: 'old 1' }], 'ask', 'a/'),
  );
  expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
  expect(readFileSync(path.join(rig.fetchDir, 'b.bin')).equals(bytes)).toBe(true);
});
