import { waitingLinkSchema } from '../models/s3-link.ts';
import { base } from './base.ts';

export const s3Links = {
  /** The next link that was opened from outside; each is given to one window. null: none waits. */
  take: base.output(waitingLinkSchema.nullable()),
};
