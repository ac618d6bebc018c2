import { z } from 'zod';
import {
  bucketContentsSchema,
  bucketFormSchema,
  bucketSectionSchema,
  newBucketSchema,
  settingsDocumentSchema,
  settingsOutcomeSchema,
  settingsProblemSchema,
} from '../models/bucket-settings.ts';
import { placeSchema } from '../models/objects.ts';
import { base } from './base.ts';

const section = placeSchema.extend({ section: bucketSectionSchema });
/** The fingerprint of the document on which the change is based, or null if it had none. */
const expected = z.string().nullable();

export const bucketSettings = {
  create: base.input(z.object({ connectionId: z.string(), bucket: newBucketSchema })).output(z.void()),
  /** Removes an empty bucket. The service refuses to remove a bucket with content. */
  remove: base.input(placeSchema).output(z.void()),
  /** Returns whether the bucket has objects, older versions and uploads, judging by one page of each listing. */
  contents: base.input(placeSchema).output(bucketContentsSchema),
  /** Returns up to 10,000 incomplete uploads of a bucket, so that they can be aborted once the user confirms. */
  uploads: base
    .input(placeSchema)
    .output(
      z.object({ uploads: z.array(z.object({ key: z.string(), uploadId: z.string() })), more: z.boolean() }),
    ),

  /** Reads the current configuration. A configuration the service lacks or denies is a state of the document, not an error. */
  read: base.input(section).output(settingsDocumentSchema),
  /** Converts a form into the text of its document. */
  compose: base.input(z.object({ form: bucketFormSchema })).output(z.object({ text: z.string() })),
  /** Returns the problems of a text, before it is sent. */
  check: base
    .input(section.omit({ connectionId: true }).extend({ text: z.string().max(1_000_000) }))
    .output(z.object({ problems: z.array(settingsProblemSchema) })),
  save: base
    .input(section.extend({ text: z.string().min(1).max(1_000_000), expected }))
    .output(settingsOutcomeSchema),
  clear: base.input(section.extend({ expected })).output(settingsOutcomeSchema),
};
