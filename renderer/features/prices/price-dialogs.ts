import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { PriceDialogServices } from './price-dialog.tsx';

/** The price list of a connection, for editing. */
export const { open: openPriceDialog, Mounted: PriceDialogs } = defineDialog<
  { readonly connectionId: string },
  PriceDialogServices
>(async () => (await import('./price-dialog.tsx')).PriceDialog);
