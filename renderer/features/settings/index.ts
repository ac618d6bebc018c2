export { openSettings, SettingsDialogs, type SettingsSection } from './settings-dialogs.tsx';
export { useSettings } from './use-settings.ts';
