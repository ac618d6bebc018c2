import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { PriceDialogServices } from './price-dialog.tsx';

/** The dialog that edits the price list of a connection. */
export const { open: openPriceDialog, Mounted: PriceDialogs } = defineDialog<
  { readonly connectionId: string },
  PriceDialogServices
>(async () => (await import('./price-dialog.tsx')).PriceDialog);
