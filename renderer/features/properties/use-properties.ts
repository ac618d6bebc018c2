import { useQuery } from '@tanstack/react-query';
import {
  maxReadAtOnce,
  type ObjectProperties,
  type ReadProperties,
} from '../../../shared/models/properties.ts';
import type { BilledObject } from '../../../shared/pricing/holdings.ts';
import { orpc, rpc } from '../../rpc/client.ts';

/** The selected objects, and the folders whose contents are selected. */
export interface PropertiesOf {
  readonly connectionId: string;
  readonly bucket: string;
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  /** The selected objects, to price a change. Objects in selected folders are priced from a catalogue. */
  readonly objects: readonly BilledObject[];
}

export interface ReadObjects {
  /** Null while they are read. */
  readonly read: readonly ReadProperties[] | null;
  readonly objects: readonly ObjectProperties[];
  readonly error: unknown;
  readonly reload: () => void;
}

const nothing: readonly ReadProperties[] = [];

/** Reads the properties of the selected objects, up to a number for which a dialog can wait. */
export function useProperties({ connectionId, bucket, keys }: PropertiesOf): ReadObjects {
  const keysToRead = keys.slice(0, maxReadAtOnce);
  const query = useQuery({
    queryKey: ['properties.read', connectionId, bucket, keysToRead],
    enabled: keysToRead.length > 0,
    staleTime: 0,
    gcTime: 0,
    // Not refetched, which would replace the values being edited.
    refetchOnWindowFocus: false,
    meta: { keepAfterReconnect: true },
    queryFn: async ({ signal }) =>
      await rpc.properties.read({ connectionId, bucket, keys: [...keysToRead] }, { signal }),
  });
  const read = keysToRead.length === 0 ? nothing : (query.data ?? null);
  return {
    read,
    objects: (read ?? nothing).flatMap(({ properties }) => properties ?? []),
    error: query.error,
    reload: () => void query.refetch(),
  };
}

/** Returns the storage classes that a connection offers, and those that the given objects have. */
export function useStorageClasses(connectionId: string, objects: readonly ObjectProperties[]) {
  const { data } = useQuery(orpc.properties.storageClasses.queryOptions({ input: { connectionId } }));
  const connections = useQuery(orpc.connections.list.queryOptions()).data;
  // Cooper's sample service supports all classes that it offers.
  const isSample = connections?.some(({ id, builtIn }) => id === connectionId && builtIn) === true;
  const ofObjects = objects.map(({ storageClass }) => storageClass);
  const supported = new Set([
    'STANDARD',
    ...ofObjects,
    ...(data?.areKnown === true || isSample ? (data?.offered ?? []) : []),
  ]);
  return {
    offered: [...new Set([...(data?.offered ?? []), ...ofObjects])],
    /** Returns true if the service may refuse this class, because its support is unknown. */
    isUncertain: (name: string) => data !== undefined && !supported.has(name),
  };
}
