import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rememberListed } from '../../features/connections/index.ts';
import { onFolderListed } from '../../features/objects/index.ts';

/** Adds folders listed in a pane to the sidebar tree, without another request. */
export function useListedFolders(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      onFolderListed(queries, ({ folders, nextPageToken, ...node }) => {
        rememberListed(queries, node, folders, nextPageToken);
      }),
    [queries],
  );
}
