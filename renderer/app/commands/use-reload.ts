import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { FolderHandle } from '../../features/objects/index.ts';
import { reloadUploads } from '../../features/stalled/index.ts';
import { orpc } from '../../rpc/client.ts';

/** Returns a function that reloads the visible folder or, on any other page, stalled uploads, bucket lists and versions. */
export function useReload(folder: RefObject<FolderHandle | null>): () => void {
  const queries = useQueryClient();
  return () => {
    if (folder.current !== null) folder.current.reload();
    else {
      reloadUploads();
      void queries.invalidateQueries({ queryKey: orpc.buckets.list.key() });
      void queries.resetQueries({ queryKey: ['versions'] });
    }
  };
}
