import type { SyncDirection } from '../../../shared/models/sync.ts';
import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { SyncPlace } from './use-sync-plan.ts';

/** The dialog that plans and starts a sync. */
export const { open: openSync, Mounted: SyncDialogs } = defineDialog<{
  readonly place: SyncPlace;
  readonly direction: SyncDirection;
}>(async () => (await import('./sync-dialog.tsx')).SyncDialog);
