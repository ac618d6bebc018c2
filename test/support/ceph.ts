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

/** A throw-away Ceph RGW on a free port; takes some 15 seconds. `settings`: of the script `ceph-rgw`. */
export async function startCeph(settings: Readonly<Record<string, string>> = {}): Promise<Ceph> {
  return await startServer(cephServer, settings);
}
