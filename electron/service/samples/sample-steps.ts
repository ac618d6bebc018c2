import type { Store } from '../store/object-store.ts';

/**
 * What is made, in order; the quick ones that people look at first come first. A step that was done is not done again
 * after a kill, and what the user has deleted does not come back.
 */
export const sampleSteps = [
  'buckets',
  'documents',
  'names',
  'photos',
  'stalled-whole',
  'stalled-gap',
  'stalled-end',
  'logs',
  'drafts',
  'large',
] as const;

export type SampleStep = (typeof sampleSteps)[number];

const doneKey = 'samples-done';

/** So many of the steps need not be done again. */
export function doneSteps(store: Store): number {
  return Number(store.meta(doneKey)?.toString() ?? 0);
}

export function keepDoneSteps(store: Store, count: number): void {
  store.setMeta(doneKey, Buffer.from(String(count)));
}
