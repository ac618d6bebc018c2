export { openPriceDialog } from './dialog-store.ts';
export { PriceDialogs } from './price-dialogs.tsx';
