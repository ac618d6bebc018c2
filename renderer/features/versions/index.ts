export { VersionsDialogs } from './versions-dialogs.tsx';
export { openVersions } from './versions-store.ts';
export type { VersionServices } from './services.ts';
