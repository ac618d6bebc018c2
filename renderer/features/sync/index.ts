export { openSync, SyncDialogs } from './sync-dialogs.ts';
