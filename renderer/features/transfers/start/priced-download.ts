import type { TFunction } from 'i18next';
import { folderOf } from '../../../../shared/keys/paths.ts';
import type { ObjectRef, Place } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import type { ChosenToPrice } from '../../../rpc/use-prices.ts';
import type { questionOf } from '../../prices/may-download.tsx';
import { startDownload } from './start-transfer.ts';

type LookUp = Parameters<typeof questionOf>[1];

/**
 * Starts a download, after a question if it costs more than the settings permit. `lookUp` returns what is downloaded. With null
 * this is unknown, so no question is asked. Shows errors as notices.
 */
export function beginPriced(place: Place, lookUp: LookUp | null, begin: () => void, t: TFunction): void {
  if (lookUp === null) {
    begin();
    return;
  }
  sayingFailure(async () => {
    if (await isAgreed(place, lookUp, t)) begin();
  });
}

/** Downloads one object or version, after a question if it is expensive. */
export function downloadObject(ref: ObjectRef, t: TFunction): void {
  const { connectionId, bucket, key, versionId } = ref;
  const from = { connectionId, bucket, folder: folderOf(key) };
  const item = { kind: 'key', key, ...(versionId === undefined ? {} : { versionId }) } as const;
  beginPriced(
    ref,
    async () => await objectToPrice(ref),
    () => startDownload(from, [item], t),
    t,
  );
}

/** Returns the object or version whose download is to be priced. Asks the service for its size and storage class. */
async function objectToPrice(ref: ObjectRef): Promise<ChosenToPrice> {
  const { sizeBytes, storageClass, lastModified } = await rpc.objects.details(ref);
  const modifiedMs = lastModified === null ? Number.NaN : Date.parse(lastModified);
  const { connectionId, bucket } = ref;
  return { connectionId, bucket, prefixes: [], objects: [{ sizeBytes, storageClass, modifiedMs }] };
}

/** Returns true if the download may start, because the user agreed, no question is needed, or the price lookup failed. */
async function isAgreed(place: Place, lookUp: LookUp, t: TFunction): Promise<boolean> {
  const { mayDownload, questionOf } = await import('../../prices/may-download.tsx');
  let question: Awaited<ReturnType<typeof questionOf>>;
  try {
    question = await questionOf(place, lookUp, t);
  } catch {
    return true;
  }
  return question === null || (await mayDownload(question, t));
}
