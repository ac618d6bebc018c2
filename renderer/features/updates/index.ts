export { lookForUpdates } from './look.ts';
export { useUpdateNotice } from './use-update-notice.tsx';
/** Loaded with the settings. */
export const loadUpdateSettings = async () => (await import('./updates-section.tsx')).UpdatesSection;
