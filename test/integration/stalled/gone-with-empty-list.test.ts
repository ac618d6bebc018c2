import { afterEach, expect, test } from 'vitest';
import { errorOf } from '../../support/servers/s3-client.ts';
import { bytesOf, Rig, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: Rig;
afterEach(async () => await rig.close());

const bytes = bytesOf(6 * smallestPart + 7, 3);
const emptyList = '<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>';

/** Makes the service return an empty list of parts for every upload id, as some services do. */
function listsNothingForGone(): void {
  rig.faults.add({
    operation: 'ListParts',
    times: Infinity,
    action: {
      kind: 'change-answer',
      change: (made) =>
        made.status === 404
          ? { status: 200, headers: { 'content-type': 'application/xml' }, body: emptyList }
          : made,
    },
  });
}

test('an upload aborted before it is resumed ends as gone after the parts in flight', async () => {
  rig = await Rig.start();
  const ref = await rig.begin('a', bytes, { partSize: smallestPart, parts: [1, 2] });
  const plan = await rig.plan(ref, rig.file('a', bytes));
  listsNothingForGone();
  await rig.client.abortMultipartUpload(ref);
  const { jobId } = rig.uploads.resume(plan.planId, {
    parallelParts: 2,
    bandwidthBytesPerSecond: null,
    acceptUnverified: false,
  });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'upload-gone' });
  expect(rig.faults.count('UploadPart')).toBeLessThanOrEqual(8);
});

test('a plan for an upload that the service lists as empty is refused', async () => {
  rig = await Rig.start();
  const ref = await rig.begin('a', bytes, { partSize: smallestPart, parts: [1] });
  const filePath = rig.file('a', bytes);
  listsNothingForGone();
  await rig.client.abortMultipartUpload(ref);
  expect(await errorOf(rig.plan(ref, filePath))).toMatchObject({ code: 'upload-gone' });
});
