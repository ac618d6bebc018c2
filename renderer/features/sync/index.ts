import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { SyncRequest } from './use-sync-plan.ts';

/** The dialog that plans and starts a sync. */
export const { open: openSync, Mounted: SyncDialogs } = defineDialog<SyncRequest>(
  async () => (await import('./sync-dialog.tsx')).SyncDialog,
);
