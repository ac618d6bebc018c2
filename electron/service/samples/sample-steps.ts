import type { Store } from '../store/object-store.ts';

/**
 * The steps in their order. Quick ones come first, because users open their samples first. A finished step is never repeated, so
 * samples that the user deleted stay deleted.
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

/** Returns how many steps are finished. */
export function doneSteps(store: Store): number {
  return Number(store.buckets.meta(doneKey)?.toString() ?? 0);
}

export function keepDoneSteps(store: Store, count: number): void {
  store.buckets.setMeta(doneKey, Buffer.from(String(count)));
}
