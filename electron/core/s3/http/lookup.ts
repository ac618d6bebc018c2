import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Names under localhost are this computer (RFC 6761, section 6.3); not every resolver knows: bucket.s3.localhost. */
export const lookUpHost: LookupFunction = (hostname, options, done) => {
  if (!/\.localhost\.?$/i.test(hostname)) {
    lookup(hostname, options, done);
    return;
  }
  if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};
