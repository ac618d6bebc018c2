import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

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
  const setGrowth = (wanted: number): void => {
    if (wanted === growth) return;
    growth = wanted;
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
