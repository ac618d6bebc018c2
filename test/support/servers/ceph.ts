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

/** Whether all of Ceph's programs are there. */
export function isCephInstalled(): boolean {
  return missingProgram(cephServer) === null;
}

/**
 * Ceph RGW, with an account that is new: no other test sees its buckets, whatever their names are. The server is shared by
 * the run (it takes some 15 seconds to start), unless `settings` of the script `ceph-rgw` are given. `isOpen`: somebody without
 * keys finds the account's buckets too; then their names have to be no other test's.
 */
export async function startCeph(
  settings: Readonly<Record<string, string>> = {},
  { isOpen = false }: { readonly isOpen?: boolean } = {},
): Promise<Ceph> {
  const server = await startServer(cephServer, settings);
  const id = randomBytes(8).toString('hex').toUpperCase();
  const keys = { accessKeyId: `CEPH${id}`, secretAccessKey: randomBytes(20).toString('hex') };
  await cephRequest(server, 'PUT', '/admin/user', {
    // Names of buckets are a tenant's own, and a request without keys has no tenant.
    ...(isOpen ? {} : { tenant: `tenant${id}` }),
    uid: `tester${id}`,
    'display-name': 'tester',
    'access-key': keys.accessKeyId,
    'secret-key': keys.secretAccessKey,
  });
  return { ...server, ...keys };
}
