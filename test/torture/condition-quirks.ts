import { noQuirks, type Quirks } from '../support/lab-service/server.ts';
import { Chance } from './chance.ts';
import type { Setup } from './setup.ts';

/** The ways in which services differ in conditional requests. Each kind of job must end the same way on all of them. */
export const conditionQuirks: Readonly<Record<string, Partial<Quirks>>> = {
  'weak-etags': { etagHeaders: 'weak' },
  'refuse-conditions-400': { conditionalWrites: 'refused-400', conditionalReads: 'refused-400' },
};

/**
 * Sets the quirks of the embedded service for this seed and returns their names. In half of the schedules, the service honours
 * conditions.
 */
export function chooseConditionQuirks(
  setup: Pick<Setup, 'quirks' | 'plan' | 'forget'>,
  seed: number,
): string {
  const { quirks } = setup;
  if (quirks === null) return '';
  // Uses separate generators, so that the rest of a seed's schedule does not change.
  const hasChecksums = new Chance(seed ^ 0xc4c).happens(0.4);
  setup.forget(hasChecksums);
  const name = new Chance(seed ^ 0x5eed).oneOf(['', '', ...Object.keys(conditionQuirks)]);
  Object.assign(quirks, noQuirks, conditionQuirks[name], setup.plan?.quirks);
  return `${hasChecksums ? ', checksums' : ''}${name === '' ? '' : `, ${name}`}`;
}
