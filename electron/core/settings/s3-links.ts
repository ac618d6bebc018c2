import { parseS3Link } from '../../../shared/keys/s3-link.ts';
import type { WaitingLink } from '../../../shared/models/s3-link.ts';
import type { Logger } from '../ports.ts';
import type { EventHub } from './events.ts';

/** More than a person opens: what a program fires off beyond that is dropped. */
const mostWaiting = 8;

export interface S3Links {
  /** A link from the command line or the system; false where it is none. Nothing is asked of any service. */
  receive(text: string): boolean;
  take(): WaitingLink | null;
}

/** Links from outside wait here until a window takes them and asks the person. */
export function createS3Links(deps: { readonly events: EventHub; readonly logger: Logger }): S3Links {
  const waiting: WaitingLink[] = [];
  return {
    receive: (text) => {
      const link = parseS3Link(text);
      if (link === null || waiting.length >= mostWaiting) {
        deps.logger.warn('A link was refused: it is no s3:// address, or too many wait.');
        return false;
      }
      waiting.push(link);
      deps.events.emit({ kind: 'link-waiting' });
      return true;
    },
    take: () => waiting.shift() ?? null,
  };
}
