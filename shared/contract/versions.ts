import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { placeSchema } from '../models/objects.ts';
import { smallestSizeSchema } from '../models/prices.ts';
import {
  deletedPageSchema,
  restoredVersionSchema,
  unlistedSchema,
  versioningStates,
  versionRefSchema,
  versionsPageSchema,
} from '../models/versions.ts';
import { base } from './base.ts';

/** Versions and delete markers of objects: https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html */
export const versions = {
  status: base.input(placeSchema).output(z.object({ versioning: z.enum(versioningStates) })),
  /** Returns one page of a folder or of a single object, at most 1000 entries. */
  list: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        /** The delimiter, or null for only the versions of the key that equals the prefix. */
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(versionsPageSchema),
  /**
   * Returns the delete markers that hide objects below a prefix, from one page of at most 1000 versions. Services list versions
   * by key, so the most recent deletions are only known after the last page.
   */
  deleted: base
    .input(placeSchema.extend({ prefix: z.string(), pageToken: z.string().nullable() }))
    .output(deletedPageSchema),
  /**
   * Makes a version the latest, by copying it onto the key or, under a delete marker, by deleting the marker. Keeps the previous
   * latest version. Throws `invalid-argument`, reason `too-large`, above 5 GiB.
   */
  restore: base.input(versionRefSchema).output(restoredVersionSchema),
  /**
   * Adds up older versions and the parts of unfinished uploads below a prefix, which are billed but not listed. Sends one request
   * for each 1000 versions, and at least one for each upload.
   */
  unlisted: base
    .input(placeSchema.extend({ prefix: z.string(), smallest: z.array(smallestSizeSchema).max(200) }))
    .output(eventIterator(unlistedSchema)),
  /** Deletes one version, or a delete marker, for good. */
  remove: base.input(versionRefSchema).output(z.void()),
};
