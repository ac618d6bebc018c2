import { useQuery } from '@tanstack/react-query';
import type { ObjectProperties } from '../../../shared/models/properties.ts';
import { orpc } from '../../rpc/client.ts';

export interface StorageClasses {
  /** Those to choose from. */
  readonly offered: readonly string[];
  /** Returns true if the service is not known to have this class: it may refuse it. */
  readonly isUncertain: (name: string) => boolean;
}

/** The storage classes of a connection, and those that the objects have. */
export function useStorageClasses(
  connectionId: string,
  objects: readonly ObjectProperties[],
): StorageClasses {
  const { data } = useQuery(orpc.properties.storageClasses.queryOptions({ input: { connectionId } }));
  const connections = useQuery(orpc.connections.list.queryOptions()).data;
  // The sample service is ours: it has what the specification names.
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
