import { patternedNames, type RenamePattern } from './name-pattern.ts';

export interface RenameRequest {
  readonly names: readonly string[];
  readonly pattern: RenamePattern;
}

/** Applies regular expressions in a worker, which can be terminated if an expression backtracks endlessly. */
globalThis.addEventListener('message', ({ data: { names, pattern } }: MessageEvent<RenameRequest>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  globalThis.postMessage(patternedNames(names, pattern));
});
