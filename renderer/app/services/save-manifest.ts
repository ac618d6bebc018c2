import type { TFunction } from 'i18next';
import type { FolderRow } from '../../features/objects/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { saveFrom } from '../../rpc/save-file.ts';
import { downloadItemsOf } from '../commands/chosen-rows.ts';
import type { FolderWindowPlace } from '../places/places.ts';

/** Writes every key of a selection, including those in its folders, into a file. Shows errors as notices. */
export function saveManifest(
  { connectionId, bucket, folder }: FolderWindowPlace,
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
