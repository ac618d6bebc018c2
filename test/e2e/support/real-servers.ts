import { sampleOf } from '../../support/sample.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';

const all = [
  { name: 'Ceph', isInstalled: isCephInstalled, start: startCeph, provider: 'Ceph' },
  { name: 'Swift', isInstalled: isSwiftInstalled, start: startSwift, provider: 'Other' },
] as const;

/**
 * Servers by other vendors, for tests that do the same on each. `npm test` uses one of those installed, `npm run test:whole` each
 * of them. Missing servers are skipped by name.
 */
export const realServers = [
  ...sampleOf(
    all.filter(({ isInstalled }) => isInstalled()),
    1,
  ),
  ...all.filter(({ isInstalled }) => !isInstalled()),
];
