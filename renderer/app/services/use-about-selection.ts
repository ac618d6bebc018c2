import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderActions, FolderHandle } from '../../features/objects/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { WindowPlace } from '../places/places.ts';
import { showLink, showProperties, showReport, showVersions } from './object-extras.ts';
import { saveManifest } from './save-manifest.ts';

/** Returns the commands that show or save facts about the selected rows. */
export function useAboutSelection(
  place: WindowPlace,
  folder: RefObject<FolderHandle | null>,
): FolderActions['about'] {
  const { t } = useTranslation();
  const selected = () => folder.current?.selected() ?? [];
  return useStable({
    properties: () => {
      showProperties(place, selected());
    },
    versions: () => {
      showVersions(place, selected());
    },
    link: () => {
      showLink(place, selected());
    },
    manifest: () => {
      if (place.kind === 'folder') saveManifest(place, selected(), t);
    },
    inventory: () => {
      showReport(place, selected());
    },
  });
}
