import { z } from 'zod';
import { placeSchema } from '../models/objects.ts';
import {
  restoredVersionSchema,
  versioningStates,
  versionRefSchema,
  versionsPageSchema,
} from '../models/versions.ts';
import { base } from './base.ts';

/** Versions and delete markers of objects: https://docs.aws.amazon.com/AmazonS3/latest/userguide/Versioning.html */
export const versions = {
  status: base.input(placeSchema).output(z.object({ versioning: z.enum(versioningStates) })),
  /** One page of a folder, or of one object alone, at most 1000 entries. */
  list: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        /** null: nothing but this very key, which is the prefix. */
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(versionsPageSchema),
  /**
   * Makes a version the latest one: by a copy of it on top, or, for a delete marker, by deleting that marker. Nothing is
   * lost: what was the latest stays below. Refused with invalid-argument `too-large` above 5 GiB.
   */
  restore: base.input(versionRefSchema).output(restoredVersionSchema),
  /** Deletes one version, or a delete marker, for good. */
  remove: base.input(versionRefSchema).output(z.void()),
};
