export { ConnectionDialogs } from './connection-dialogs.tsx';
export { useConnectionName } from './connection-name.ts';
export { ConnectionHome } from './connection-home.tsx';
export { ConnectionsSidebar, type CurrentPlace, type Destination } from './connections-sidebar.tsx';
export { openConnectionDialog, type DialogRequest, type OpenPlace } from './dialog-store.ts';
export { parsePlace } from './form-model.ts';
export { useBucketList, useConnections } from './queries.ts';
export { Welcome } from './welcome.tsx';
