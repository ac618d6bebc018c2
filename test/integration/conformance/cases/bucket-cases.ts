import { describe, expect, it } from 'vitest';
import { errorOf } from '../../../support/servers/s3-client.ts';
import type { Suite } from '../suite.ts';
import { inWords, outcomeOf } from '../target.ts';

export function bucketCases({ client, bucket, note, put }: Suite): void {
  describe('buckets', () => {
    it('that are new are listed and found, and have a location', async () => {
      expect((await client.listBuckets()).map(({ name }) => name)).toContain(bucket);
      note('HeadBucket names the region', (await client.headBucket({ bucket })).region !== null);
      note('GetBucketLocation', await client.getBucketLocation({ bucket }));
    });

    it('that are missing are reported as not-found', async () => {
      const absent = `${bucket}-absent`;
      expect(await errorOf(client.headBucket({ bucket: absent }))).toMatchObject({ code: 'not-found' });
      const error = await errorOf(client.listObjects({ bucket: absent }));
      expect(error).toMatchObject({ code: 'not-found', reason: 'no-such-bucket' });
      note('list of an absent bucket', inWords(error));
    });

    it('that exist are noted when created again, and not deleted while full', async () => {
      note('CreateBucket again', await outcomeOf(client.createBucket({ bucket })));
      await put('full');
      expect(await errorOf(client.deleteBucket({ bucket }))).toMatchObject({
        code: 'conflict',
        reason: 'bucket-not-empty',
      });
      await client.deleteObject({ bucket, key: 'full' });
    });
  });
}
