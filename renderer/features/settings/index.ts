import { defineDialogs } from '../../ui/dialog/define-dialog.tsx';
import { settingsDialogs, type SettingsRequest } from './settings-dialog-store.ts';
export { openSettings } from './settings-dialog-store.ts';
export { useSettings } from './use-settings.ts';

/** The settings, and the licences of Cooper's components. */
export const SettingsDialogs = defineDialogs<SettingsRequest>(
  {
    settings: async () => (await import('./settings-dialog.tsx')).SettingsDialog,
    licences: async () => (await import('./licences-dialog.tsx')).LicencesDialog,
  },
  { store: settingsDialogs },
);
