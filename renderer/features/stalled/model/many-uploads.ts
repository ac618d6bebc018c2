import type { UploadFilter, UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';

/** Number of uploads per request, small enough to block neither the window nor the core noticeably. */
const chunkSize = 4000;

/**
 * Reads the references of all uploads that match the filter. Passes a few thousand at a time to `onChunk`, since iterating
 * over 100,000 at once would block the window.
 */
export async function selectAll(
  scanId: string,
  filter: UploadFilter,
  signal?: AbortSignal,
  onChunk: (refs: readonly UploadRef[]) => void = () => undefined,
) {
  const refs: UploadRef[] = [];
  for (;;) {
    const response = await rpc.stalled.select(
      { scanId, filter, offset: refs.length, limit: chunkSize },
      signal === undefined ? {} : { signal },
    );
    refs.push(...response.refs);
    onChunk(response.refs);
    // The scan may still run. Uploads that it finds after this reply are not selected.
    if (response.refs.length === 0 || refs.length >= response.total)
      return { refs, storedBytes: response.storedBytes, unread: response.unread };
  }
}

/** Returns, for each of `refs` in order, whether the scan has found it. */
export async function areInScan(
  scanId: string,
  refs: readonly UploadRef[],
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  const found: boolean[] = [];
  for (let from = 0; from < refs.length; from += chunkSize)
    found.push(...(await rpc.stalled.has({ scanId, refs: refs.slice(from, from + chunkSize) }, { signal })));
  return found;
}

/**
 * Starts one job for any number of uploads. Sends all chunks but the last to the core, and starts the job with the last chunk.
 */
export async function runForUploads(
  action: 'abort' | 'completeWhole',
  refs: readonly UploadRef[],
): Promise<Awaited<ReturnType<typeof rpc.stalled.abort>>> {
  let listId: string | null = null;
  let at = 0;
  for (; at + chunkSize < refs.length; at += chunkSize)
    ({ listId } = await rpc.stalled.collect({ refs: refs.slice(at, at + chunkSize), listId }));
  return await rpc.stalled[action]({ refs: refs.slice(at), listId });
}
