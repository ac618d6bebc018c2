export { openSettings, SettingsDialogs } from './settings-dialogs.tsx';
export type { SettingsSection } from './settings-section.ts';
export { useSettings } from './use-settings.ts';
