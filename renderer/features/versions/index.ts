export { refreshVersions } from './refresh-versions.ts';
export { openTrash } from './trash-store.ts';
export type { VersionServices } from './version-services.ts';
export { VersionsDialogs } from './versions-dialogs.tsx';
export { VersionsFolder } from './versions-folder.tsx';
export { openVersions } from './versions-store.ts';
