export { InventoryDialogs, openReport } from './inventory-dialogs.ts';
