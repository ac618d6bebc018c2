import type { SyncDirection } from '../../../shared/models/sync.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';
import type { SyncPlace } from './sync-services.ts';

const sync = dialogStore<{ readonly place: SyncPlace; readonly direction: SyncDirection }>();

/** Opens the dialog of a sync; SyncDialogs renders it. */
export function openSync(place: SyncPlace, direction: SyncDirection): void {
  sync.open({ place, direction });
}

export const closeSync = sync.close;
export const useOpenSync = sync.useOpened;
