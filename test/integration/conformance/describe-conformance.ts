import { afterAll, beforeAll, describe } from 'vitest';
import type { ServicePlan } from '../../support/lab-service/service-plans.ts';
import { bucketCases } from './cases/bucket-cases.ts';
import { keyCases } from './cases/key-cases.ts';
import { listingCases } from './cases/listing-cases.ts';
import { multipartCases } from './cases/multipart-cases.ts';
import { objectCases } from './cases/object-cases.ts';
import { signingCases } from './cases/signing-cases.ts';
import { Notebook } from './observations.ts';
import { createSuite } from './suite.ts';
import type { Target } from './target.ts';

/**
 * Defines the tests of one service. `refused`: the expected outcomes of features that it does not support. The observations are
 * written to `file`.
 */
export function describeConformance(
  target: Target,
  {
    refused = {},
    file,
  }: { readonly refused?: ServicePlan['refused']; readonly file?: string | undefined } = {},
): void {
  const notebook = new Notebook(target.name);
  const suite = createSuite(target, notebook, refused);
  const { client, bucket } = suite;

  describe(`conformance of ${target.name}`, () => {
    beforeAll(async () => {
      await client.createBucket({ bucket });
    });

    afterAll(async () => {
      const { uploads } =
        refused.ListMultipartUploads === undefined
          ? await client.listMultipartUploads({ bucket })
          : { uploads: [] };
      for (const { key, uploadId } of uploads) await client.abortMultipartUpload({ bucket, key, uploadId });
      for (const key of await suite.all({})) await client.deleteObject({ bucket, key });
      // If uploads cannot be listed, the bucket cannot be emptied; it is removed with the service's data folder.
      if (refused.ListMultipartUploads === undefined) await client.deleteBucket({ bucket });
      await client.close();
      if (file !== undefined) notebook.write(file);
    });

    bucketCases(suite);
    listingCases(suite);
    keyCases(suite);
    objectCases(suite);
    multipartCases(suite);
    signingCases(suite);
  });
}
