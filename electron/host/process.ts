import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';
import type { Logger } from '../core/ports.ts';

/**
 * Handles uncaught errors: logs each, reports the first through `tell`, and keeps the program running. Jobs are on disk before
 * they run, so only the failed call is lost. Returns a function that removes the handlers.
 */
export function guardProcess(
  options: { readonly logger: Logger; readonly tell: () => void },
  target: NodeJS.EventEmitter = process,
): () => void {
  let wasReported = false;
  const onError = (thrown: unknown): void => {
    options.logger.error('Unexpected error.', { err: thrown });
    if (wasReported) return;
    wasReported = true;
    options.tell();
  };
  target.on('uncaughtException', onError).on('unhandledRejection', onError);
  return () => {
    target.off('uncaughtException', onError).off('unhandledRejection', onError);
  };
}

/** The limit in bytes for both semi-spaces. It is V8's former default, before 64-bit pointers quadrupled it. */
const maxBytes = 16 * 1024 * 1024;
/** V8's default for the growth factor. */
const usualGrowth = 2;

/**
 * Keeps V8's young generation from growing to 128 MiB, which a listing would fill before any garbage is collected. Its maximum
 * can only be set on the command line, so this sets the growth factor, which V8 reads before each growth. Growth is allowed again
 * after V8 shrank the generation of an idle program, because at 2 MiB a download of many small files collects nine times as
 * often. Returns a function that ends the watch and the limit.
 */
export function boundYoungGeneration(): () => void {
  let growth = usualGrowth;
  const setGrowth = (newGrowth: number): void => {
    if (newGrowth === growth) return;
    growth = newGrowth;
    v8.setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  };
  const observer = new PerformanceObserver(() => {
    setGrowth(youngBytes() * usualGrowth > maxBytes ? 1 : usualGrowth);
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
    setGrowth(usualGrowth);
  };
}

function youngBytes(): number {
  const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space?.space_size ?? 0;
}
