/** The settings. */
export const settings = {
  title: 'Settings',
  sections: { appearance: 'Appearance', folders: 'Folders', previews: 'Previews', about: 'About' },
  theme: 'Theme',
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  foldersFirst: 'Folders before objects',
  foldersFirstDescription: 'When a folder is sorted. Off: folders and objects are mixed, by name.',
  previewLimit: 'Largest object to preview',
  previewLimitDescription:
    'Larger objects are not fetched for a preview unless you ask. 0 turns previews off.',
  mebibytes: 'MiB',
  previewLimitInvalid: 'Type a number of MiB, 0 or more.',
  saveFailed: 'This setting could not be saved.',
  loadFailed: 'The settings could not be loaded.',
  version: 'Version',
  dataDir: 'Data folder',
  secrets: 'Keys',
  host: 'Runs',
  hosts: { desktop: 'on the desktop', browser: 'in the browser' },
  close: 'Close',
} as const;
