import { openFolderSize } from '../../features/search/index.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import { searchPlace } from '../places/places.ts';
import { chosenFolderIn, defineCommand, folderIn, isInFolder } from './define-command.ts';
import { openOverlay } from './overlay-store.ts';

/** The commands that find objects, and that show, hide or arrange parts of the window. */
export const viewCommands = [
  defineCommand('focusFilter', { run: ({ folder }) => folder.current?.find('filter') }),
  defineCommand('focusStartsWith', { run: ({ folder }) => folder.current?.find('startsWith') }),
  defineCommand('selectAll', { run: ({ folder }) => folder.current?.selectAll() }),
  defineCommand('viewList', { run: ({ folder }) => folder.current?.setView('list') }),
  defineCommand('viewGallery', { run: ({ folder }) => folder.current?.setView('gallery') }),
  defineCommand('viewMap', { run: ({ folder }) => folder.current?.setView('map') }),
  defineCommand('toggleVersions', { enabled: isInFolder, run: ({ versions }) => versions.toggle() }),
  defineCommand('toggleSidebar', { run: ({ sidebar }) => sidebar.toggle() }),
  defineCommand('toggleDetails', { run: ({ details }) => details.toggle() }),
  defineCommand('toggleLog', { run: ({ log }) => log.toggle() }),
  defineCommand('toggleTransfers', { run: ({ transfers }) => transfers.toggle() }),
  defineCommand('openPalette', { run: () => openOverlay('commands') }),
  defineCommand('quickOpen', { run: () => openOverlay('places') }),
  defineCommand('openShortcuts', { run: () => openOverlay('shortcuts') }),
  defineCommand('search', {
    run: (window) => {
      const next = searchPlace(chosenFolderIn(window) ?? window.place, crypto.randomUUID());
      if (next === null) return;
      passKeysToNextField('page');
      window.go(next);
    },
  }),
  defineCommand('folderSize', {
    enabled: isInFolder,
    run: (window) => {
      const at = chosenFolderIn(window);
      if (at !== null)
        openFolderSize({ connectionId: at.connectionId, bucket: at.bucket, prefix: at.folder });
    },
  }),
  defineCommand('calculateSizes', {
    enabled: isInFolder,
    run: (window) => {
      const place = folderIn(window);
      if (place === null) return;
      sayingFailure(async () => {
        const { calculateSizes } = await import('../services/calculate-sizes.ts');
        await calculateSizes(place, place.folder);
      });
    },
  }),
];
