import { z } from 'zod';
import { updateStatusSchema } from '../models/updates.ts';
import { base } from './base.ts';

/** Updates of the program. Changes are announced by the app event `updates-changed`. */
export const updates = {
  status: base.output(updateStatusSchema),
  /** Asks the feed now, and says so when that fails. */
  check: base.output(z.void()),
  /** Fetches what was found; it is checked against the feed's SHA-512 before anything is kept. */
  download: base.output(z.void()),
  cancel: base.output(z.void()),
  /** Ends the program, installs what is ready, and starts it again. */
  install: base.output(z.void()),
};
