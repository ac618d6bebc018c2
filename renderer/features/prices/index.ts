export { LazyDownloadCost } from './lazy-download-cost.tsx';
export { openPriceDialog } from './price-dialog-store.ts';
export { PriceDialogs } from './price-dialogs.tsx';
