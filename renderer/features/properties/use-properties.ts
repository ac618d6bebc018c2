import { useQuery } from '@tanstack/react-query';
import {
  maxReadAtOnce,
  type ObjectProperties,
  type ReadProperties,
} from '../../../shared/models/properties.ts';
import { rpc } from '../../rpc/client.ts';
import type { BilledObject } from '../../../shared/pricing/holdings.ts';

/** The chosen objects, and folders with their contents. */
export interface PropertiesOf {
  readonly connectionId: string;
  readonly bucket: string;
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  /** The chosen objects, for what a change of them costs; those in the folders come from a catalogue. */
  readonly objects: readonly BilledObject[];
}

export interface ReadObjects {
  /** null while they are read. */
  readonly read: readonly ReadProperties[] | null;
  readonly objects: readonly ObjectProperties[];
  readonly error: unknown;
  readonly reload: () => void;
}

const nothing: readonly ReadProperties[] = [];

/** The properties of what was chosen, as far as a dialog can wait for them. */
export function useProperties({ connectionId, bucket, keys }: PropertiesOf): ReadObjects {
  const asked = keys.slice(0, maxReadAtOnce);
  const query = useQuery({
    queryKey: ['properties.read', connectionId, bucket, asked],
    enabled: asked.length > 0,
    staleTime: 0,
    gcTime: 0,
    // A second read does not replace a form that is being edited.
    refetchOnWindowFocus: false,
    meta: { keepAfterReconnect: true },
    queryFn: async ({ signal }) =>
      await rpc.properties.read({ connectionId, bucket, keys: [...asked] }, { signal }),
  });
  const read = asked.length === 0 ? nothing : (query.data ?? null);
  return {
    read,
    objects: (read ?? nothing).flatMap(({ properties }) => properties ?? []),
    error: query.error,
    reload: () => void query.refetch(),
  };
}
