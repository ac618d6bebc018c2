import type { ObjectRef } from '../../../shared/models/objects.ts';
import { dialogStore } from '../../ui/dialog/dialog-store.ts';

const reports = dialogStore<ObjectRef>();

/** Asks what to do with a manifest.json; the dialog is drawn by InventoryDialogs. */
export const openReport = reports.open;
export const closeReport = reports.close;
export const useOpenReport = reports.useOpened;
