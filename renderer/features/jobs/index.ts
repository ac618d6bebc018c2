export { JobsButton } from './jobs-button.tsx';
export { JobsPanel } from './lazy-panel.tsx';
export { onJobsEvent, useJobsNow } from './jobs-store.ts';
export type { JobServices } from './job-services.ts';
export { useJobsWatch } from './use-jobs-watch.tsx';
/** Loaded with the settings. */
export const loadJobSettings = async () => (await import('./settings-section.tsx')).JobSettingsSection;
