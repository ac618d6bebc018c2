import type { Connection } from '../../../shared/models/connection.ts';
import type { WaitingLink } from '../../../shared/models/s3-link.ts';
import type { LinkedPlace } from './linked-place.ts';

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
