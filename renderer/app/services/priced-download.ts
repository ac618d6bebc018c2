import type { TFunction } from 'i18next';
import type { FolderRow } from '../../features/objects/index.ts';
import type { BilledObject } from '../../../shared/pricing/holdings.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { ChosenToPrice } from '../../rpc/use-holdings.ts';

interface Place {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
}

type Row = Pick<FolderRow, 'kind' | 'key' | 'sizeBytes'> &
  Partial<Pick<FolderRow, 'storageClass' | 'modifiedMs'>>;

/** What a download of these rows reads: all of the folder where none is chosen; null: the class of an object is not known. */
export function toPrice({ connectionId, bucket, folder }: Place, rows: readonly Row[]): ChosenToPrice | null {
  const objects: BilledObject[] = [];
  for (const { kind, sizeBytes, storageClass, modifiedMs } of rows) {
    if (kind !== 'object') continue;
    if (storageClass === undefined) return null;
    objects.push({ sizeBytes, storageClass, modifiedMs: modifiedMs ?? Number.NaN });
  }
  const folders = rows.filter(({ kind }) => kind === 'folder').map(({ key }) => key);
  return {
    connectionId,
    bucket,
    prefixes: rows.length === 0 ? [folder] : folders,
    objects,
  };
}

/** Begins a download, after the question where it costs more than the settings allow without one. What fails is said. */
export function beginPriced(of: ChosenToPrice | null, begin: () => void, t: TFunction): void {
  if (of === null) {
    begin();
    return;
  }
  sayingFailure(t, async () => {
    if (await isAgreed(of, t)) begin();
  });
}

/** A price that cannot be looked up holds up no download: nothing is known then, and nothing is asked. */
async function isAgreed(of: ChosenToPrice, t: TFunction): Promise<boolean> {
  const { mayDownload, questionOf } = await import('../../features/prices/may-download.tsx');
  let question: Awaited<ReturnType<typeof questionOf>>;
  try {
    question = await questionOf(of, t);
  } catch {
    return true;
  }
  return question === null || (await mayDownload(question, t));
}
