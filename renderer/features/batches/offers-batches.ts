import type { Connection } from '../../../shared/models/connection.ts';
import { quirksFor } from '../../../shared/providers/providers.ts';

/** Returns true if the connection's provider runs jobs itself (S3 Batch Operations). */
export function offersBatches({ provider, endpoint }: Pick<Connection, 'provider' | 'endpoint'>): boolean {
  return quirksFor(provider, URL.parse(endpoint)?.hostname ?? '').controlHost !== null;
}
