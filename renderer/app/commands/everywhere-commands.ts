import { exportConnections, openConnectionDialog } from '../../features/connections/index.ts';
import { openSettings } from '../../features/settings/index.ts';
import { lookForUpdates } from '../../features/updates/index.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { focusNextPane } from '../../ui/keyboard/panes.ts';
import { openOverlay } from './overlay-store.ts';
import type { Commands } from './window-commands.ts';

/** The commands that do the same on every page of the window. */
export const everywhereCommands = {
  exportConnections: () => {
    exportConnections();
  },
  importConnections: () => {
    openConnectionDialog({ mode: 'import' });
  },
  openSettings: () => {
    openSettings();
  },
  openAbout: () => {
    openSettings('about');
  },
  openUpdates: () => {
    openSettings('updates');
    sayingFailure(lookForUpdates);
  },
  openPalette: () => {
    openOverlay('commands');
  },
  quickOpen: () => {
    openOverlay('places');
  },
  openShortcuts: () => {
    openOverlay('shortcuts');
  },
  nextPane: () => {
    focusNextPane(1);
  },
  previousPane: () => {
    focusNextPane(-1);
  },
} as const satisfies Partial<Commands>;
