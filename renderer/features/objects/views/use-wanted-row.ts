import { useEffect, useState } from 'react';
import type { FolderModel } from '../folder/folder-model.ts';
import type { FolderRow } from '../rows/row.ts';

interface Wanted {
  readonly kind: FolderRow['kind'];
  readonly key: string;
  /** The model shown when the row was requested. The row may be in this model or in the next one. */
  readonly model: FolderModel | null;
}

/** Selects a row once it has loaded. Gives up if the next listing does not contain it. */
export function useWantedRow(
  model: FolderModel | null,
  focusRow: (row: number) => void,
): (kind: FolderRow['kind'], key: string) => void {
  const [wanted, setWanted] = useState<Wanted | null>(null);
  useEffect(() => {
    if (wanted === null || model === null) return;
    const number = model.find(wanted.kind, wanted.key);
    if (number !== -1) focusRow(number);
    if (number !== -1 || model !== wanted.model) setWanted(null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- not again because the selection moved
  }, [wanted, model]);
  return (kind, key) => {
    setWanted({ kind, key, model });
  };
}
