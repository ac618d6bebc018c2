export { SettingsDialog } from './settings-dialog.tsx';
export { useSettings } from './use-settings.ts';
