import { parseS3Link } from '../../../shared/keys/s3-link.ts';
import type { WaitingLink } from '../../../shared/models/s3-link.ts';
import type { Logger } from '../ports.ts';
import type { EventHub } from './events.ts';

/**
 * The maximum number of waiting links, which is more than a user would open. Further ones, for example from a faulty program, are
 * dropped.
 */
const maxWaiting = 8;

export interface S3Links {
  /** Accepts a link from the command line or the system. Returns false if the text is not a link. Sends no request. */
  receive(text: string): boolean;
  take(): WaitingLink | null;
}

/** Queues links from outside until a window takes them and asks the user. */
export function createS3Links(deps: { readonly events: EventHub; readonly logger: Logger }): S3Links {
  const waiting: WaitingLink[] = [];
  return {
    receive: (text) => {
      const link = parseS3Link(text);
      if (link === null || waiting.length >= maxWaiting) {
        deps.logger.warn('Ignored a link: it is not an s3:// address, or too many links are waiting.');
        return false;
      }
      waiting.push(link);
      deps.events.emit({ kind: 'link-waiting' });
      return true;
    },
    take: () => waiting.shift() ?? null,
  };
}
