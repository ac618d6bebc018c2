import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { rememberListed } from '../../features/connections/index.ts';
import { onFolderListed } from '../../features/objects/index.ts';

/** What is listed in a pane is known in the tree as well, without a request of its own. */
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
