import { sampleOf } from '../../support/sample.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';

const all = [
  { name: 'Ceph', isInstalled: isCephInstalled, start: startCeph, provider: 'Ceph' },
  { name: 'Swift', isInstalled: isSwiftInstalled, start: startSwift, provider: 'Other' },
] as const;

/**
 * Servers of other vendors, for tests that run on each of them. `npm test` uses one of them, `npm run test:whole` all. Those not
 * installed are skipped by name.
 */
export const realServers = [
  ...sampleOf(
    all.filter(({ isInstalled }) => isInstalled()),
    1,
  ),
  ...all.filter(({ isInstalled }) => !isInstalled()),
];
