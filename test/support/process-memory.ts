import { readFileSync, readdirSync } from 'node:fs';

/** Measures the memory of a process's descendants. Works only on Linux. */
export interface MemoryOf {
  /** Returns the largest memory that any descendant has had so far. */
  readonly largestBytes: () => number;
}

export function memoryOf(pid: number): MemoryOf {
  return { largestBytes: () => Math.max(0, ...descendants(pid).map(peakBytes)) };
}

function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const stat = /^\d+$/u.test(name) ? read(`/proc/${name}/stat`) : '';
    // The program's name may contain any characters. The parent's id is the second field after the name.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const look = (of: number): void => {
    for (const child of children.get(of) ?? []) {
      found.push(child);
      look(child);
    }
  };
  look(pid);
  return found;
}

/** Returns the peak memory of a process in bytes, or 0 if the system does not report it. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB/mu.exec(read(`/proc/${String(pid)}/status`))?.[1] ?? 0) * 1024;
}

/** Returns the text of a file, or '' if the process has ended in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
