import { readFileSync } from 'node:fs';

/**
 * Returns this process's current or peak memory in MiB (Linux). ru_maxrss would include the peak of the parent process that
 * forked this one.
 */
export function memoryMiB(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
}
