import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { S3Client } from '../../electron/core/s3/model/s3-client.ts';
import type { Timeouts } from '../../electron/core/s3/http/timeouts.ts';
import { checksumMemory } from '../support/core/checksum-memory.ts';
import { ConditionMemory } from '../../electron/core/s3/model/condition-memory.ts';
import { startService, type Quirks } from '../support/lab-service/server.ts';
import { followPlan, type ServicePlan } from '../support/lab-service/service-plans.ts';
import { startCeph } from '../support/servers/ceph.ts';
import { startFaultProxy, type FaultProxy } from '../support/servers/fault-proxy.ts';
import { realClient, type RealService } from '../support/servers/real-client.ts';
import { startSwift } from '../support/servers/swift.ts';
import { copyBytes, TransferRig } from '../support/core/transfers-rig.ts';
import { Rig, rigKeys, rushingDeps, smallestPart, type RushingClock } from '../support/core/uploads-rig.ts';

export const serverNames = ['embedded', 'ceph', 'swift'] as const;
export type ServerName = (typeof serverNames)[number];

/**
 * A server, a proxy in front of it that injects faults, and the two rigs. Only the program's requests pass the proxy. Setup,
 * interference and verdicts use the server directly.
 */
export interface Setup {
  readonly proxy: FaultProxy;
  /** The rig for stalled uploads. */
  readonly stalled: Rig;
  /** The rig for transfers and operations. */
  readonly transfers: TransferRig;
  /** The server's address and keys, for separate processes. */
  readonly service: RealService;
  /** The adjustable behaviour of the embedded service. Null for a real server. */
  readonly quirks: Quirks | null;
  /** The plan of the embedded service, whose quirks hold in every schedule. Null without a plan. */
  readonly plan: ServicePlan | null;
  /** The clients that the program uses, which send requests through the proxy. */
  readonly proxied: { readonly stalled: S3Client; readonly transfers: S3Client };
  /**
   * Makes the program forget what it has learned about the server. With `hasChecksums`, it then knows only that the server
   * verifies checksums.
   */
  forget(hasChecksums?: boolean): void;
  close(): Promise<void>;
}

interface Server {
  readonly quirks: Quirks | null;
  readonly service: RealService & { readonly region: string; readonly keys: typeof rigKeys };
  /** Absent for a real server, which follows no plan. */
  readonly follow?: (plan: ServicePlan) => void;
  readonly close: () => Promise<void>;
}

/**
 * `fraction`: the source of random faults. `timeouts`: how long the program waits for the server. `plan`: the deviations of the
 * embedded service.
 */
export async function startSetup(
  name: ServerName,
  fraction: () => number,
  timeouts: Partial<Timeouts>,
  plan: ServicePlan | null = null,
): Promise<Setup> {
  const server = await startNamed(name);
  const { service } = server;
  const proxy = await startFaultProxy(service.endpoint, { fraction });
  const through = (clock: RushingClock): S3Client =>
    realClient({ ...service, endpoint: proxy.endpoint }, rushingDeps(clock, timeouts));
  const direct = realClient(service);
  const transfers = await TransferRig.start({
    external: { client: direct, minPartBytes: smallestPart, largestCopyBytes: copyBytes },
  });
  const stalled = await Rig.start({
    external: {
      endpoint: service.endpoint,
      region: service.region,
      credentials: () => Promise.resolve(service.keys),
    },
  });
  stalled.bucket = 'stalled';
  await stalled.client.createBucket({ bucket: stalled.bucket });
  if (plan !== null) server.follow?.(plan);
  const clients = { stalled: through(stalled.clock), transfers: through(transfers.clock) };
  let proxied: Setup['proxied'] = clients;
  return {
    proxy,
    stalled,
    transfers,
    service: { endpoint: service.endpoint, region: service.region, keys: keysOf(service.keys) },
    quirks: server.quirks,
    plan,
    get proxied() {
      return proxied;
    },
    forget(hasChecksums = false) {
      const learned = () => {
        const checksums = checksumMemory();
        if (hasChecksums) checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
        return { conditions: new ConditionMemory(), checksums };
      };
      proxied = {
        stalled: { ...clients.stalled, ...learned() },
        transfers: { ...clients.transfers, ...learned() },
      };
    },
    async close() {
      await stalled.close();
      await transfers.close();
      await clients.stalled.close();
      await clients.transfers.close();
      await proxy.close();
      await server.close();
    },
  };
}

/** Returns only the access key, without the server's other properties. */
function keysOf({ accessKeyId, secretAccessKey }: typeof rigKeys): typeof rigKeys {
  return { accessKeyId, secretAccessKey };
}

/** Starts a server that accepts parts as small as the rigs send them. */
async function startNamed(name: ServerName): Promise<Server> {
  switch (name) {
    case 'embedded': {
      const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-torture-'));
      const credentials = [rigKeys];
      const options = { dataDir, credentials, region: 'us-east-1', minPartBytes: smallestPart };
      const service = await startService(options);
      return {
        service: { endpoint: service.endpoint, region: options.region, keys: rigKeys },
        quirks: service.quirks,
        follow: ({ name, rules }) => followPlan(service, { name, rules }),
        close: async () => {
          await service.close();
          rmSync(dataDir, { recursive: true, force: true });
        },
      };
    }
    case 'ceph':
    case 'swift': {
      const least = String(smallestPart);
      const server =
        name === 'ceph'
          ? await startCeph({ RGW_MIN_PART_BYTES: least })
          : await startSwift({ SWIFT_MIN_PART_BYTES: least });
      return {
        service: { endpoint: server.endpoint, region: server.region, keys: server },
        quirks: null,
        close: () => Promise.resolve(server.stop()),
      };
    }
    default:
      return name satisfies never;
  }
}
