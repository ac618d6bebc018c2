import { playKilled } from './killed.ts';
import { playOperation } from './operations.ts';
import { playStalledUpload, type Report } from './stalled-uploads.ts';
import type { Setup } from './setup.ts';
import { playTransfer } from './transfers.ts';

/** Plays the schedule of a seed: a stalled upload; a copy, a move or a deletion; an upload or a download; or several jobs at once. */
export async function playAny(setup: Setup, seed: number): Promise<Report> {
  if (seed % 10 === 9) return await playKilled(setup, seed);
  if (seed % 3 === 0) return await playStalledUpload(setup, seed);
  return seed % 3 === 1 ? await playOperation(setup, seed) : await playTransfer(setup, seed);
}
