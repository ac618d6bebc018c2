import { z } from 'zod';
import { editSchema } from '../models/edits.ts';
import { base } from './base.ts';

const which = z.object({ editId: z.string() });

/** Objects opened with the system's program. What changes is told by the app event `edits-changed`. */
export const edits = {
  list: base.output(z.array(editSchema)),
  /** Fetches the object and hands it to the system's program for its kind; `unsupported` where the host or the kind cannot. */
  open: base
    .input(z.object({ connectionId: z.string(), bucket: z.string(), key: z.string() }))
    .output(editSchema),
  /** Of a conflict: what is in the file replaces what is in the bucket. */
  overwrite: base.input(which).output(z.void()),
  /** Sends once more what could not be sent. */
  retry: base.input(which).output(z.void()),
  /** Ends the watch and removes the local copy, with what is unsent in it. */
  discard: base.input(which).output(z.void()),
};
