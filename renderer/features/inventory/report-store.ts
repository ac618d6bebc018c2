import type { ObjectRef } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const reports = dialogStore<ObjectRef>();

/** Opens the dialog for a manifest.json; InventoryDialogs renders it. */
export const openReport = reports.open;
export const closeReport = reports.close;
export const useOpenReport = reports.useOpened;
