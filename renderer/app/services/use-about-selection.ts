import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { FolderActions, FolderHandle, FolderRow } from '../../features/objects/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { OperationPlace } from '../../features/operations/index.ts';
import { rowsPlace, type WindowPlace } from '../places/places.ts';
import { showLink, showProperties, showReport, showVersions } from './object-extras.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { saveFrom } from '../../rpc/save-file.ts';
import { downloadItemsOf } from '../commands/chosen-rows.ts';

/** Returns the commands that show or save information about the selected rows. */
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
      const from = rowsPlace(place);
      if (from !== null) saveManifest(from, selected(), t);
    },
    inventory: () => {
      showReport(place, selected());
    },
  });
}

/** Writes every object key in a selection, including its folders, into a file. Shows errors as notices. */
function saveManifest(
  { connectionId, bucket, folder }: OperationPlace,
  rows: readonly FolderRow[],
  t: TFunction,
): void {
  if (rows.length === 0) return;
  sayingFailure(async () => {
    const title = t('entries.manifest.title');
    const made = await rpc.walks.manifest({
      connectionId,
      bucket,
      folder,
      items: downloadItemsOf(rows),
      title,
    });
    if (made.kind === 'download') saveFrom(made.path, made.fileName);
    else if (made.kind === 'saved')
      showNotice({
        message: (say) => say('entries.manifest.saved', { count: made.rows, name: made.fileName }),
      });
  });
}
