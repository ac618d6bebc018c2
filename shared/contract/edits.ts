import { z } from 'zod';
import { editPlaceSchema, editSchema, savedTextSchema } from '../models/edits.ts';
import { base } from './base.ts';

const which = z.object({ editId: z.string() });

/**
 * Objects opened in the system's program, and texts edited in the window. Changes are announced by the app event
 * `edits-changed`.
 */
export const edits = {
  list: base.output(z.array(editSchema)),
  /** Fetches the object and hands it to the system's program for its kind; `unsupported` where the host or the kind cannot. */
  open: base.input(editPlaceSchema).output(editSchema),
  /** Keeps a text on disk and sends it; the answer says whether it reached the bucket. A rejection: it is not even on disk. */
  save: base.input(savedTextSchema).output(editSchema),
  /** Resolves a conflict: replaces the object in the bucket with the local copy. */
  overwrite: base.input(which).output(z.void()),
  /** Sends once more what could not be sent. */
  retry: base.input(which).output(z.void()),
  /** Ends the watch and removes the local copy, with what is unsent in it. */
  discard: base.input(which).output(z.void()),
};
