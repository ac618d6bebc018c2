import type { Settings } from './settings.ts';

/** Defaults that the window needs at its start. They are kept apart from the schemas, which it loads later. */
export const defaultMultipartFromBytes = 16 * 1024 * 1024;
const defaultPartSizeBytes = 16 * 1024 * 1024;

export const defaultSettings: Settings = {
  theme: 'auto',
  systemAccent: true,
  language: 'system',
  foldersFirst: true,
  previewLimitBytes: 20 * 1024 * 1024,
  thumbnailImageBytes: 5 * 1024 * 1024,
  thumbnailCacheBytes: 256 * 1024 * 1024,
  multipartFromBytes: defaultMultipartFromBytes,
  partSizeBytes: defaultPartSizeBytes,
  catalogueLimitBytes: 2 * 1024 ** 3,
  downloadCostLimit: 5,
  notifications: true,
  confirmQuit: true,
  confirmLinks: true,
  openAtLogin: false,
  runInBackground: true,
  logLevel: 'info',
  updateChecks: true,
  updateChannel: 'stable',
};
