import { lazyPart } from '../../ui/lazy-part.tsx';

export { openPriceDialog, PriceDialogs } from './price-dialogs.ts';

/** The cost of downloading the selection. Its code is loaded with the first selection. */
export const LazyDownloadCost = lazyPart(async () => (await import('./download-cost.tsx')).DownloadCost);
