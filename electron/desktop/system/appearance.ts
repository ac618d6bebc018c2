import type { JobCounts, JobState } from '../../../shared/models/jobs.ts';

const resting: ReadonlySet<string> = new Set<JobState>(['paused', 'needs-attention', 'done', 'cancelled']);

/** Returns the number of running and waiting jobs. */
export function activeJobs(counts: JobCounts): number {
  return Object.entries(counts.byState).reduce(
    (sum, [state, count]) => (resting.has(state) ? sum : sum + count),
    0,
  );
}

export interface Dock {
  /** The progress bar on the icon: 0 to 1; below 0 hides it, above 1 is indeterminate. */
  readonly progress: number;
  readonly mode: 'normal' | 'error';
  readonly badge: number;
}

/** Returns the progress of jobs to show on the dock or taskbar icon. */
export function dockOf(counts: JobCounts): Dock {
  const active = activeJobs(counts);
  const waiting = counts.byState['needs-attention'] ?? 0;
  const mode = waiting > 0 ? 'error' : 'normal';
  if (active === 0) return { progress: -1, mode, badge: waiting };
  const progress = counts.bytesTotal > 0 ? Math.min(1, counts.bytesDone / counts.bytesTotal) : 2;
  return { progress, mode, badge: active + waiting };
}

const side = 32;
/** The colours in BGRA order, which `nativeImage.createFromBitmap` requires. */
const colours = { normal: [0xd4, 0x78, 0x00, 0xff], error: [0x38, 0x34, 0xd1, 0xff] } as const;

/** Returns a bitmap of a disc for the corner of the taskbar button, where Windows cannot show a number. */
export function overlayBitmap(mode: Dock['mode']): { readonly bitmap: Buffer; readonly side: number } {
  const bitmap = Buffer.alloc(side * side * 4);
  const middle = (side - 1) / 2;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (Math.hypot(x - middle, y - middle) <= side / 2 - 3) bitmap.set(colours[mode], (y * side + x) * 4);
  return { bitmap, side };
}

/** Converts Electron's `rrggbbaa` to `#rrggbb`; null for an invalid or fully transparent colour. */
export function accentOf(rgba: string): string | null {
  const found = /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(rgba);
  if (found === null || found[2] === '00') return null;
  return `#${(found[1] ?? '').toLowerCase()}`;
}
