export { SyncDialogs } from './sync-dialogs.tsx';
export { openSync } from './sync-store.ts';
