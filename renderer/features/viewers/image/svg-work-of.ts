import { askImageWorker } from './worker/ask-image-worker.ts';

/** Returns the work of drawing an SVG, in elements; Infinity if it cannot be computed in time. */
export async function svgWorkOf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> {
  const answer = await askImageWorker({ kind: 'svg', bytes }, signal);
  return answer.kind === 'svg' ? answer.work : Infinity;
}
