import { z } from 'zod';
import { updateStatusSchema } from '../models/updates.ts';
import { base } from './base.ts';

/** Updates of the program. Changes are announced by the app event `updates-changed`. */
export const updates = {
  status: base.output(updateStatusSchema),
  /** Checks the feed now. The status reports a failure. */
  check: base.output(z.void()),
  /** Downloads the found update and verifies it against the feed's SHA-512 before keeping it. */
  download: base.output(z.void()),
  cancel: base.output(z.void()),
  /** Quits the program, installs the downloaded update, and starts the program again. */
  install: base.output(z.void()),
};
