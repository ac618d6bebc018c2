import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Connection } from '../../../shared/models/connection.ts';
import { forgetTree, useConnections } from '../../features/connections/index.ts';
import { forgetFolders } from '../../features/objects/index.ts';

/** Drops cached folders of a connection that was removed or now points elsewhere. */
export function useForgottenFolders(): void {
  const queries = useQueryClient();
  const connections = useConnections().data;
  const before = useRef<readonly Connection[] | undefined>(undefined);
  useEffect(() => {
    if (connections === undefined) return;
    for (const old of before.current ?? []) {
      const now = connections.find(({ id }) => id === old.id);
      if (now !== undefined && wayOf(now) === wayOf(old)) continue;
      forgetFolders(queries, old.id);
      forgetTree(queries, old.id);
    }
    before.current = connections;
  }, [queries, connections]);
}

/** Returns all settings that decide what a connection shows, which excludes its name. */
function wayOf(connection: Connection): string {
  return JSON.stringify({ ...connection, name: '' });
}
