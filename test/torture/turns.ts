import { playKilled } from './killed.ts';
import { playOperation } from './operations.ts';
import { playSchedule, type Report } from './schedule.ts';
import type { Stand } from './stand.ts';
import { playTransfer } from './transfers.ts';

/** By turns: a stalled upload; a copy, a move or a deletion on the service; an upload or a download; at times all at once. */
export async function playTurn(stand: Stand, seed: number): Promise<Report> {
  if (seed % 10 === 9) return await playKilled(stand, seed);
  if (seed % 3 === 0) return await playSchedule(stand, seed);
  return seed % 3 === 1 ? await playOperation(stand, seed) : await playTransfer(stand, seed);
}
