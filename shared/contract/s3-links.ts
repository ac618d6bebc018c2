import { waitingLinkSchema } from '../models/s3-link.ts';
import { base } from './base.ts';

export const s3Links = {
  /** Takes the next link that was opened from outside; only one window gets each link. null: none is waiting. */
  take: base.output(waitingLinkSchema.nullable()),
};
