import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';

/** Number of uploads per call, small enough not to block the core noticeably. */
const chunkSize = 4000;

/**
 * Starts one job for any number of uploads. Sends all chunks but the last to the core, and starts the job with the last chunk.
 */
export async function runForUploads(
  wish: 'abort' | 'completeWhole',
  refs: readonly UploadRef[],
): Promise<Awaited<ReturnType<typeof rpc.stalled.abort>>> {
  let listId: string | null = null;
  let at = 0;
  for (; at + chunkSize < refs.length; at += chunkSize)
    ({ listId } = await rpc.stalled.collect({ refs: refs.slice(at, at + chunkSize), listId }));
  return await rpc.stalled[wish]({ refs: refs.slice(at), listId });
}
