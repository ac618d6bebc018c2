import { waitingLinkSchema } from '../models/s3-link.ts';
import { base } from './base.ts';

export const s3Links = {
  /** Returns and removes the next link opened from outside, so that only one window gets it. Returns null without a link. */
  take: base.output(waitingLinkSchema.nullable()),
};
