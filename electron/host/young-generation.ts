import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** Both halves: as much as V8 gave every program before it went by 64-bit pointers and took four times that. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Keeps V8 from letting the young generation grow to 128 MiB, which a listing fills with garbage before any is collected. The size
 * itself can only be given on a command line, which not every start has; how fast it grows is read each time it is to grow.
 * Returns what ends the watch.
 */
export function boundYoungGeneration(): () => void {
  const observer = new PerformanceObserver(() => {
    if (youngBytes() < mostBytes) return;
    v8.setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
  };
}

function youngBytes(): number {
  const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space?.space_size ?? 0;
}
