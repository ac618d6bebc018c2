import { useQuery } from '@tanstack/react-query';
import type { ObjectProperties } from '../../../shared/models/properties.ts';
import { orpc } from '../../rpc/client.ts';

export interface StorageClasses {
  /** The classes to choose from. */
  readonly offered: readonly string[];
  /** Returns true if the service may refuse this class, because its support is unknown. */
  readonly isUncertain: (name: string) => boolean;
}

/** Returns the storage classes that a connection offers, and those that the given objects have. */
export function useStorageClasses(
  connectionId: string,
  objects: readonly ObjectProperties[],
): StorageClasses {
  const { data } = useQuery(orpc.properties.storageClasses.queryOptions({ input: { connectionId } }));
  const connections = useQuery(orpc.connections.list.queryOptions()).data;
  // Cooper's sample service supports all classes that it offers.
  const isOurs = connections?.some(({ id, builtIn }) => id === connectionId && builtIn) === true;
  const ofObjects = objects.map(({ storageClass }) => storageClass);
  const sure = new Set([
    'STANDARD',
    ...ofObjects,
    ...(data?.areKnown === true || isOurs ? (data?.offered ?? []) : []),
  ]);
  return {
    offered: [...new Set([...(data?.offered ?? []), ...ofObjects])],
    isUncertain: (name) => data !== undefined && !sure.has(name),
  };
}
