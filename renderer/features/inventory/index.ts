import type { ObjectRef } from '../../../shared/models/objects.ts';
import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { ShowMap } from './report-dialog.tsx';

/** The dialog for an inventory report, opened with its manifest.json. */
export const { open: openReport, Mounted: InventoryDialogs } = defineDialog<
  ObjectRef,
  { readonly onShowMap: ShowMap }
>(async () => (await import('./report-dialog.tsx')).ReportDialog);
