import { dialogStore } from '../../ui/dialog/dialog-store.ts';

/** Whose prices are shown. */
export interface PricesOf {
  readonly connectionId: string;
}

const prices = dialogStore<PricesOf>();

/** Opens the price list of a connection for editing; PriceDialogs renders it. */
export const openPriceDialog = prices.open;
export const closePriceDialog = prices.close;
export const usePriceDialog = prices.useOpened;
