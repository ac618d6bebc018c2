/** Electron supports its newest three major versions (Electron Release Timelines, "Version support policy"). */
const supportedMajors = 3;

export type ElectronSupport = 'supported' | 'out-of-support' | 'unanswered';

/** Checks whether a pinned version of Electron still gets security fixes. `latest` is the registry's response. */
export function electronSupport(pinned: string, latest: string): ElectronSupport {
  const [ours, newest] = [majorOf(pinned), majorOf(latest.trim())];
  if (ours === null || newest === null) return 'unanswered';
  return newest - ours < supportedMajors ? 'supported' : 'out-of-support';
}

function majorOf(version: string): number | null {
  const major = /^([1-9]\d*)\.\d+\.\d+$/.exec(version)?.[1];
  return major === undefined ? null : Number(major);
}
