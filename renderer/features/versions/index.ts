export { refreshVersions } from './refresh.ts';
export type { VersionServices } from './services.ts';
export { VersionsDialogs } from './versions-dialogs.tsx';
export { VersionsFolder } from './versions-folder.tsx';
export { openVersions } from './versions-store.ts';
