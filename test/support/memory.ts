import { readFileSync } from 'node:fs';

/**
 * What this process holds, or has held at most, in MiB (Linux). ru_maxrss would count the peak of the process that forked this
 * one, too.
 */
export function memoryMiB(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
}
