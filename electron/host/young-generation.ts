import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** Both halves: as much as V8 gave every program before it went by 64-bit pointers and took four times that. */
const mostBytes = 16 * 1024 * 1024;
/** V8's own. */
const usualGrowth = 2;

/**
 * Keeps V8 from letting the young generation grow to 128 MiB, which a listing fills with garbage before any is collected. The size
 * itself can only be given on a command line, which not every start has; how fast it grows is read each time it is to grow.
 * V8 makes it smaller where a program rests, so it may grow again afterwards: of 2 MiB, a download of many small files collects
 * nine times as often. Returns what ends the watch, and the bound with it.
 */
export function boundYoungGeneration(): () => void {
  let growth = usualGrowth;
  const setGrowth = (wanted: number): void => {
    if (wanted === growth) return;
    growth = wanted;
    v8.setFlagsFromString(`--semi-space-growth-factor=${growth}`);
  };
  const observer = new PerformanceObserver(() => {
    setGrowth(youngBytes() * usualGrowth > mostBytes ? 1 : usualGrowth);
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
