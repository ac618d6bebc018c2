export { InventoryDialogs } from './inventory-dialogs.tsx';
export { openReport } from './report-store.ts';
