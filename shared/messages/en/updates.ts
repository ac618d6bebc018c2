/** Updates of the program itself. */
export const updates = {
  off: {
    browser:
      'Cooper in the browser is updated by npm: install the newer package the way you installed this one.',
    development: 'This Cooper runs from its sources and is not updated by itself.',
    'package-manager':
      'Your system’s package manager owns this Cooper and keeps it up to date. Nothing is downloaded here.',
    unpacked: 'This Cooper was unpacked by hand. To update it, unpack a newer one in its place.',
    portable: 'A portable Cooper is not updated by itself. Put a newer one in its place.',
    'no-feed': 'This Cooper was built without an address to ask for updates.',
  },
  neverChecked: 'Cooper has not looked for updates yet.',
  current: 'This is the newest version. Last looked: {{when}}.',
  checking: 'Looking for updates…',
  available: 'Cooper {{version}} is there.',
  availableSize: 'Cooper {{version}} is there ({{size}}).',
  downloading: 'Downloading Cooper {{version}}…',
  ready: 'Cooper {{version}} is downloaded and checked. Nothing is installed before you say so.',
  installing: 'Installing Cooper {{version}}. Cooper ends and starts again…',
  failed: {
    check: 'It could not be found out whether there is an update. Nothing was changed.',
    download: 'The update could not be downloaded. Nothing was changed.',
    install: 'The update could not be installed. The Cooper you have stays as it is.',
  },
  tampered: 'What arrived is not the file that was announced, so it was thrown away.',
  progress: 'Download of the update',
  notes: 'What is new',
  install: 'Restart and install',
  download: 'Download',
  stop: 'Stop',
  check: 'Look for updates',
  daily: 'Look for updates every day',
  dailyDescription: 'Cooper only looks and tells you. You decide what is downloaded and installed.',
  channel: 'Which versions',
  channels: { stable: 'Finished ones', beta: 'Also previews' },
  notice: {
    available: 'Cooper {{version}} is there',
    ready: 'Cooper {{version}} is ready to install',
    show: 'Show',
  },
} as const;
