export { LazyDownloadCost } from './lazy-download-cost.tsx';
export { openPriceDialog, PriceDialogs } from './price-dialogs.ts';
