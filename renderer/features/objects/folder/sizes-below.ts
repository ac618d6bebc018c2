import { t } from 'i18next';
import { useEffect, useMemo, useRef, useState } from 'react';
import { rpc } from '../../../rpc/client.ts';
import { formatBytes, formatDate, formatExactBytes, formatCount } from '../../../ui/words/format.ts';
import { folderColumns, type FolderColumn } from '../rows/folder-columns.ts';
import type { FolderModel } from './folder-model.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderRow } from '../rows/row.ts';
import { belowOf, setBelow } from '../rows/below.ts';

const foldersPerQuestion = 1000;

interface Asked {
  readonly model: FolderModel;
  /** The number of rows already checked. */
  rows: number;
}

/**
 * The columns of a folder, with the sizes of its folders if a catalogue has them. Asks only about rows added since the last page,
 * and only while the column is visible.
 */
export function useColumnsBelow(
  { connectionId, bucket, folder }: FolderPlace,
  model: FolderModel | null,
  isShown: boolean,
): readonly FolderColumn[] {
  const [known, setKnown] = useState({ version: 0, takenAt: '' });
  const asked = useRef<Asked | null>(null);
  const loaded = model?.loadedCount ?? 0;
  useEffect(() => {
    if (!isShown || model === null) return;
    if (asked.current?.model !== model) asked.current = { model, rows: 0 };
    const from = asked.current.rows;
    asked.current.rows = loaded;
    const folders = Array.from({ length: loaded - from }, (_, at) =>
      model.isFolder(from + at) ? (model.hold(from + at) ?? []) : [],
    ).flat();
    void (async () => {
      for (let at = 0; at < folders.length; at += foldersPerQuestion) {
        const some = folders.slice(at, at + foldersPerQuestion);
        const answer = await rpc.map.sizes({
          connectionId,
          bucket,
          prefix: folder,
          folders: some.map(({ key }) => key),
        });
        if (answer === null) return;
        for (const [number, row] of some.entries()) setBelow(row, answer.sums[number] ?? null);
        setKnown(({ version }) => ({ version: version + 1, takenAt: answer.takenAt }));
      }
    })().catch((thrown: unknown) => {
      // Missing sizes are not an error of the list; the map says why there is no catalogue.
      reportError(thrown);
    });
  }, [connectionId, bucket, folder, model, loaded, isShown]);
  return useMemo(
    () =>
      folderColumns.map((column) =>
        column.id !== 'below'
          ? column
          : {
              ...column,
              text: (row: FolderRow) => {
                const sum = belowOf(row);
                return sum === null ? '' : formatBytes(sum.sizeBytes);
              },
              hover: (row: FolderRow) => {
                const sum = belowOf(row);
                if (sum === null) return row.kind === 'folder' ? t('entries.map.below.unknown') : '';
                return t('entries.map.below.known', {
                  count: sum.objects,
                  number: formatCount(sum.objects),
                  size: formatExactBytes(sum.sizeBytes),
                  time: formatDate(known.takenAt),
                });
              },
            },
      ),
    [known],
  );
}
