import type { Connection } from '../../../shared/models/connection.ts';
import type { WaitingLink } from '../../../shared/models/links.ts';
import type { Place } from '../../../shared/models/objects.ts';

/** The location that a link opens after the user has agreed. */
export interface LinkedPlace extends Place {
  readonly prefix: string;
}

/** The window's responses to a link. */
export interface S3LinkMoves {
  readonly onOpen: (place: LinkedPlace) => Promise<void>;
  readonly onAddConnection: () => void;
}

/**
 * Returns the location that a link opens without a question, if the user has turned the question off. The link must have only one
 * reading, and exactly one connection must match. Null if the user has to be asked.
 */
export function placeWithoutQuestion(
  link: WaitingLink,
  connections: readonly Pick<Connection, 'id' | 'builtIn'>[],
): LinkedPlace | null {
  const [only, ...others] = connections.filter(({ builtIn }) => !builtIn);
  if (link.decodedPrefix !== null || only === undefined || others.length > 0) return null;
  return { connectionId: only.id, bucket: link.bucket, prefix: link.prefix };
}
