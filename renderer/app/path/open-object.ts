import type { CoreClient } from '../../../shared/contract/index.ts';
import { parentFolder } from '../../../shared/keys/paths.ts';
import type { Connection } from '../../../shared/models/connection.ts';
import { quirksFor } from '../../../shared/providers/providers.ts';
import { placeBelow, type ServiceAddress } from '../../../shared/providers/service-address.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { folderPlace, type FolderWindowPlace } from '../places/places.ts';
import { findPlace } from './open-address.ts';

/** A bucket and a key or prefix, and the connections that may have it. */
export interface LinkedObject {
  readonly bucket: string;
  readonly key: string;
  readonly connectionIds: readonly string[];
}

type Known = Pick<Connection, 'id' | 'provider' | 'endpoint'>;

/** Returns the object in a web address, with the connections to its service. Null without such a connection. */
export function linkedObject(address: ServiceAddress, connections: readonly Known[]): LinkedObject | null {
  const below = connections.flatMap(({ id, endpoint }) => {
    const place = endpoint === '' ? null : placeBelow(endpoint, address);
    return place === null ? [] : [{ id, place }];
  });
  const [first] = below;
  if (first !== undefined) {
    // If one connection's endpoint is below another's, the two find different buckets in the address. The first connection
    // decides.
    const { bucket, key } = first.place;
    const same = below.filter(({ place }) => place.bucket === bucket && place.key === key);
    return { bucket, key, connectionIds: same.map(({ id }) => id) };
  }
  const { bucket, key, endpoint } = address;
  if (bucket === null || endpoint === null) return null;
  const { hostname } = new URL(endpoint);
  const connectionIds = connections
    .filter((connection) => isSameService(connection, hostname))
    .map(({ id }) => id);
  return connectionIds.length === 0 ? null : { bucket, key, connectionIds };
}

/** Returns true if the host is the connection's endpoint, or the provider's endpoint in another region. */
function isSameService({ provider, endpoint }: Known, hostname: string): boolean {
  const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  if (host === hostname) return true;
  const { regionHost, providerHosts: ownHosts } = quirksFor(provider, host);
  return regionHost !== null && ownHosts?.test(hostname) === true;
}

/** Returns all connections. Fills in the endpoint of the sample service, whose port changes at each start. */
export async function knownEndpoints(core: CoreClient): Promise<readonly Known[]> {
  const connections = await core.connections.list();
  if (!connections.some(({ builtIn }) => builtIn)) return connections;
  const samples = await core.connections.sampleService();
  return connections.map((connection) =>
    connection.builtIn ? { ...connection, endpoint: samples.endpoint } : connection,
  );
}

/** Returns the folder of an object and its key. If the object does not exist, returns the location for the key as a prefix. */
export async function findObject(
  core: CoreClient,
  connectionId: string,
  { bucket, key }: Pick<LinkedObject, 'bucket' | 'key'>,
): Promise<{ readonly place: FolderWindowPlace; readonly key: string | null }> {
  if (key === '' || key.endsWith('/')) return { place: folderPlace(connectionId, bucket, key), key: null };
  try {
    await core.objects.details({ connectionId, bucket, key });
  } catch (thrown) {
    // The page of the folder reports any other error.
    if (appErrorOf(thrown).code === 'not-found')
      return { place: await findPlace(core, connectionId, { bucket, prefix: key }), key: null };
  }
  return { place: folderPlace(connectionId, bucket, parentFolder(key) ?? ''), key };
}
