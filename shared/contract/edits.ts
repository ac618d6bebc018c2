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
  /**
   * Fetches the object and opens it in the system's program. Throws `unsupported` if the host or the kind of file does not permit
   * this.
   */
  open: base.input(editPlaceSchema).output(editSchema),
  /**
   * Saves a text on disk, then sends it to the bucket. The result says whether the text was sent. Rejects if it could not be saved
   * on disk.
   */
  save: base.input(savedTextSchema).output(editSchema),
  /** Resolves a conflict: replaces the object in the bucket with the local copy. */
  overwrite: base.input(which).output(z.void()),
  /** Sends a save again that failed to reach the bucket. */
  retry: base.input(which).output(z.void()),
  /** Stops watching the local copy for changes and deletes it, including unsent changes. */
  discard: base.input(which).output(z.void()),
};
