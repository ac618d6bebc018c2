import type { Connection } from '../../../shared/models/connection.ts';
import type { WaitingLink } from '../../../shared/models/s3-link.ts';
import type { LinkedPlace } from './linked-place.ts';

/**
 * Where a link leads without a question, once the person wants none: only where it can be read in one way and there is one
 * connection that it can be for. null: it has to be asked.
 */
export function unaskedPlace(
  link: WaitingLink,
  connections: readonly Pick<Connection, 'id' | 'builtIn'>[],
): LinkedPlace | null {
  const [only, ...others] = connections.filter(({ builtIn }) => !builtIn);
  if (link.decodedPrefix !== null || only === undefined || others.length > 0) return null;
  return { connectionId: only.id, bucket: link.bucket, prefix: link.prefix };
}
