import { z } from 'zod';

const answered = z.object({
  metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }),
});

export type Audit =
  | { readonly kind: 'clean' }
  | { readonly kind: 'found'; readonly count: number }
  | { readonly kind: 'unanswered' };

/** Parses the output of `npm audit --json`. A registry that does not support audits returns an error instead. */
export function readAudit(printed: string): Audit {
  let json: unknown;
  try {
    json = JSON.parse(printed);
  } catch {
    return { kind: 'unanswered' }; // The output is empty, or is the page of a proxy.
  }
  const report = answered.safeParse(json);
  if (!report.success) return { kind: 'unanswered' };
  const { vulnerabilities } = report.data.metadata;
  const count = Object.entries(vulnerabilities)
    .filter(([severity]) => severity !== 'total')
    .reduce((sum, [, perLevel]) => sum + perLevel, 0);
  return count === 0 ? { kind: 'clean' } : { kind: 'found', count };
}

export interface Silence {
  /** The value of COOPER_AUDIT, which is `required` for a release. */
  readonly setting: string | undefined;
  readonly version: string;
  /**
   * The version in build/release-without-audit, by which a maintainer allows a release without an audit. Null without this file.
   */
  readonly letPass: string | null;
}

/**
 * Returns true if the run may continue although the registry did not respond: outside a release, or if a maintainer allowed
 * this version.
 */
export function mayGoOnUnanswered({ setting, version, letPass }: Silence): boolean {
  return setting !== 'required' || letPass?.trim() === version;
}

/** Electron supports its newest three major versions (Electron Release Timelines, "Version support policy"). */
const supportedMajors = 3;

type ElectronSupport = 'supported' | 'out-of-support' | 'unanswered';

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
