export { refreshVersions } from './refresh-versions.ts';
export type { VersionServices } from './version-services.ts';
export { openTrash, openVersions, TrashDialogs, VersionsDialogs } from './versions-dialogs.ts';
export { VersionsFolder } from './versions-folder.tsx';
