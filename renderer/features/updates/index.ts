export { lookForUpdates } from './look.ts';
export { useUpdateNotice } from './use-update-notice.tsx';
/** The updates' section of the settings dialog. */
export const loadUpdateSettings = async () => (await import('./updates-section.tsx')).UpdatesSection;
