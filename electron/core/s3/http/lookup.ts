import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * Resolves a host name. Names such as bucket.s3.localhost always mean this computer (RFC 6761, section 6.3), which not every
 * resolver knows.
 */
export const lookUpHost: LookupFunction = (hostname, options, done) => {
  if (!/\.localhost\.?$/i.test(hostname)) {
    lookup(hostname, options, done);
    return;
  }
  if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};
