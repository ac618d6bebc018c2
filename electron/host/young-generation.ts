import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** The limit for both semi-spaces: V8's former default, before 64-bit pointers quadrupled it. */
const maxBytes = 16 * 1024 * 1024;
/** V8's default. */
const usualGrowth = 2;

/**
 * Keeps V8's young generation from growing to 128 MiB, which a listing fills with garbage before any is collected. The size can
 * only be set on a command line, which not every start has; the growth factor is read before each growth. V8 shrinks an idle
 * program's young generation, so it may grow again: at 2 MiB, a download of many small files collects nine times as often.
 * Returns a function that ends the watch and the limit.
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
