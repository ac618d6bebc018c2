import type { Page } from '@playwright/test';

/**
 * Returns a heap snapshot of a page as text, taken after a garbage collection. It contains every reachable string, up to its
 * first 1024 characters.
 */
export async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false, captureNumericValue: false });
  await session.detach();
  const { strings } = JSON.parse(pieces.join('')) as { readonly strings: readonly string[] };
  return strings.join('\n');
}
