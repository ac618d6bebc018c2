import type { DownloadItem } from '../../../shared/models/transfers.ts';
import type { FolderRow } from '../../features/objects/index.ts';

/** The items to download, in the core's form. */
export function downloadItemsOf(rows: readonly Pick<FolderRow, 'kind' | 'key'>[]): DownloadItem[] {
  return rows.map(({ kind, key }) =>
    kind === 'folder' ? { kind: 'prefix', prefix: key } : { kind: 'key', key },
  );
}

/** The core's handles of local rows. */
export function handlesOf(rows: readonly FolderRow[]): readonly string[] {
  return rows.flatMap(({ handle }) => handle ?? []);
}
