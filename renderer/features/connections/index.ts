import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { connectionDialogs, type DialogRequest } from './model/connection-dialog-store.ts';
export type { BucketMenuRequest, BucketServices } from './model/connection-places.ts';

/** The dialogs about connections. */
export const { Mounted: ConnectionDialogs } = defineDialog<DialogRequest>(
  async () => (await import('./connection-dialogs.tsx')).ConnectionDialog,
  connectionDialogs,
);

export { useConnectionName, useConnectionNameById } from './model/connection-queries.ts';
export { ConnectionHome } from './home/connection-home.tsx';
export { ConnectionsSidebar } from './tree/connections-sidebar.tsx';
export { startOf, type CurrentPlace, type Destination } from './model/connection-places.ts';
export { openConnectionDialog, type DialogRequest, type OpenPlace } from './model/connection-dialog-store.ts';
export { exportConnections } from './model/connection-queries.ts';
export {
  useAllBucketStates,
  useBucketList,
  useConnectionActions,
  useConnections,
  useSampleService,
} from './model/connection-queries.ts';
export { nodeId, restOf } from './model/tree-folders.ts';
export {
  forgetTree,
  refreshTree,
  cacheListedFolders,
  useFoldersBelow,
  useTreeFolders,
} from './tree/use-tree-folders.ts';
export { Welcome } from './home/welcome.tsx';
