import type { DownloadItem } from '../../../shared/models/transfers.ts';
import type { FolderRow } from '../../features/objects/index.ts';

/** Converts rows to the items that the core downloads. */
export function downloadItemsOf(rows: readonly Pick<FolderRow, 'kind' | 'key'>[]): DownloadItem[] {
  return rows.map(({ kind, key }) =>
    kind === 'folder' ? { kind: 'prefix', prefix: key } : { kind: 'key', key },
  );
}

/** Returns the core's handles for these local files. Rows without a handle are left out. */
export function handlesOf(rows: readonly FolderRow[]): readonly string[] {
  return rows.flatMap(({ handle }) => handle ?? []);
}
