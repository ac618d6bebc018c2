export { openPriceDialog } from './price-dialog-store.ts';
export { PriceDialogs } from './price-dialogs.tsx';
