import type { Page } from '@playwright/test';

/**
 * What the JavaScript of a page still holds, as one text: a heap snapshot, taken behind a collection of garbage. It holds
 * every string that can be reached, and the first 1024 characters of each.
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
