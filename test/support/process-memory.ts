import { readFileSync, readdirSync } from 'node:fs';

/** The processes below one, on Linux; elsewhere none are found. */
export interface MemoryOf {
  /** The most memory that any process below it has had so far. */
  readonly largestBytes: () => number;
}

export function memoryOf(pid: number): MemoryOf {
  return {
    largestBytes: () => Math.max(0, ...descendants(pid).map(peakBytes)),
  };
}

function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const stat = /^\d+$/u.test(name) ? read(`/proc/${name}/stat`) : '';
    // The name of the program may hold anything; its parent is the second field behind it.
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

/** Returns the peak memory of a process in bytes; 0 if the system does not report it. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB/mu.exec(read(`/proc/${String(pid)}/status`))?.[1] ?? 0) * 1024;
}

/** '' for a process that has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
