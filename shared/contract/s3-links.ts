import { waitingLinkSchema } from '../models/s3-link.ts';
import { base } from './base.ts';

export const s3Links = {
  /** Returns and removes the next link that was opened from outside, so that only one window gets it; null if there is none. */
  take: base.output(waitingLinkSchema.nullable()),
};
