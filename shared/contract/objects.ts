import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import {
  addressesSchema,
  bucketListSchema,
  folderPageSchema,
  folderRestSchema,
  objectDetailsSchema,
  objectRefSchema,
  placeSchema,
  previewSchema,
} from '../models/objects.ts';
import { base } from './base.ts';

export const buckets = {
  list: base.input(z.object({ connectionId: z.string() })).output(bucketListSchema),
  /** Remembers a bucket that the user typed, for connections that may not list buckets. */
  remember: base.input(placeSchema).output(z.void()),
  forget: base.input(placeSchema).output(z.void()),
};

export const objects = {
  /** Returns one page of a folder: at most 1000 entries, in the service's order (UTF-8 bytes). Spec 4.1, 4.2. */
  list: base
    .input(
      placeSchema.extend({
        /** The folder, and optionally the beginning of names in it: `photos/20` lists `photos/2023/` and `photos/2024/`. */
        prefix: z.string(),
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(folderPageSchema),
  /** Yields the rest of a folder after a page token: many pages at a time, unordered. Spec 4.1, 4.2. */
  rest: base
    .input(placeSchema.extend({ prefix: z.string(), pageToken: z.string() }))
    .output(eventIterator(folderRestSchema)),
  details: base.input(objectRefSchema).output(objectDetailsSchema),
  addresses: base.input(objectRefSchema).output(addressesSchema),
  preview: base.input(objectRefSchema).output(previewSchema),
  /** Returns the path from which the browser downloads the whole object as a file. */
  file: base.input(objectRefSchema).output(z.object({ path: z.string() })),
  /** Offers the object for one download at `bytesPath + ticket`. The window generates the ticket (128 random bits). */
  offer: base
    .input(objectRefSchema.extend({ ticket: z.string().regex(/^[A-Za-z0-9_-]{22}$/) }))
    .output(z.void()),
};
