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
  /** Keeps a bucket that was typed, for connections that may not list theirs. */
  remember: base.input(placeSchema).output(z.void()),
  forget: base.input(placeSchema).output(z.void()),
};

export const objects = {
  /** One page of a folder, at most 1000 entries, in the service's order (UTF-8 bytes). Spec 4.1, 4.2. */
  list: base
    .input(
      placeSchema.extend({
        /** The folder and what the names start with: `photos/20` shows `photos/2023/`, `photos/2024/`. */
        prefix: z.string(),
        delimiter: z.literal('/').nullable(),
        pageToken: z.string().nullable(),
      }),
    )
    .output(folderPageSchema),
  /** All that is still to come of a folder behind a page token, many pages at a time, in no order. Spec 4.1, 4.2. */
  rest: base
    .input(placeSchema.extend({ prefix: z.string(), pageToken: z.string() }))
    .output(eventIterator(folderRestSchema)),
  details: base.input(objectRefSchema).output(objectDetailsSchema),
  addresses: base.input(objectRefSchema).output(addressesSchema),
  preview: base.input(objectRefSchema).output(previewSchema),
  /** Returns the path from which the browser downloads the whole object as a file. */
  file: base.input(objectRefSchema).output(z.object({ path: z.string() })),
  /** The same at `bytesPath + ticket`, a ticket of the window's own making (128 random bits), for one reading. */
  offer: base
    .input(objectRefSchema.extend({ ticket: z.string().regex(/^[A-Za-z0-9_-]{22}$/) }))
    .output(z.void()),
};
