import { noQuirks, type Quirks } from '../support/lab-service/server.ts';
import { Chance } from './chance.ts';
import type { Stand } from './stand.ts';

/** How services differ about conditions; each kind of job has to come to the same end on all of them. */
export const manners: Readonly<Record<string, Partial<Quirks>>> = {
  'weak-etags': { etagHeaders: 'weak' },
  'refuse-conditions-400': { conditionalWrites: 'refused-400', conditionalReads: 'refused-400' },
};

/** Half of the runs on the embedded service are with its conditions honoured; sets how the others differ, and names it. */
export function takeManner(stand: Pick<Stand, 'quirks' | 'plan' | 'forget'>, seed: number): string {
  const { quirks } = stand;
  if (quirks === null) return '';
  // Uses separate generators, so that the rest of a seed's schedule does not change.
  const hasChecksums = new Chance(seed ^ 0xc4c).happens(0.4);
  stand.forget(hasChecksums);
  const name = new Chance(seed ^ 0x5eed).oneOf(['', '', ...Object.keys(manners)]);
  Object.assign(quirks, noQuirks, manners[name], stand.plan?.quirks);
  return `${hasChecksums ? ', checksums' : ''}${name === '' ? '' : `, ${name}`}`;
}
