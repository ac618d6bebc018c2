import { randomBytes } from 'node:crypto';
import { cephRequest } from './ceph-request.ts';
import { freePorts, missingProgram, startServer, type RealServer, type ServerScript } from './real-server.ts';

export type Ceph = RealServer;

export const cephServer: ServerScript = {
  name: 'Ceph RGW',
  script: 'ceph-rgw',
  programs: ['ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin', 'monmaptool'],
  ports: async () => {
    const first = await freePorts(2);
    return { RGW_PORT: String(first), RGW_MON_PORT: String(first + 1) };
  },
};

/** Returns true if all of Ceph's programs are installed. */
export function isCephInstalled(): boolean {
  return missingProgram(cephServer) === null;
}

/**
 * Starts Ceph RGW. Without `settings` for the script `ceph-rgw`, joins the shared server of the run, because a start takes about
 * 15 seconds. Creates a new account, whose buckets no other test sees. With `isOpen`, clients without credentials also find the
 * buckets, so bucket names must be unique among the tests.
 */
export async function startCeph(
  settings: Readonly<Record<string, string>> = {},
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): Promise<Ceph> {
  const server = await startServer(cephServer, settings);
  const id = randomBytes(8).toString('hex').toUpperCase();
  const keys = { accessKeyId: `CEPH${id}`, secretAccessKey: randomBytes(20).toString('hex') };
  await cephRequest(server, 'PUT', '/admin/user', {
    // Each tenant has separate bucket names, and a request without credentials has no tenant.
    ...(isOpen ? {} : { tenant: `tenant${id}` }),
    uid: `tester${id}`,
    'display-name': 'tester',
    'access-key': keys.accessKeyId,
    'secret-key': keys.secretAccessKey,
  });
  return { ...server, ...keys };
}
