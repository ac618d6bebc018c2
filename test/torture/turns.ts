import { playOperation } from './operations.ts';
import { playSchedule, type Report } from './schedule.ts';
import type { Stand } from './stand.ts';
import { playTransfer } from './transfers.ts';

/** By turns: a stalled upload; a copy, a move or a deletion on the service; an upload or a download. */
export async function playTurn(stand: Stand, seed: number): Promise<Report> {
  if (seed % 3 === 0) return await playSchedule(stand, seed);
  return seed % 3 === 1 ? await playOperation(stand, seed) : await playTransfer(stand, seed);
}
