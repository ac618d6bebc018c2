import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isInstalled } from '../../support/installed.ts';
import type { Measured, TransferRun } from '../transfers/transfers-load.ts';
import type { BenchServer } from './bench-servers.ts';

const run = promisify(execFile);
/** The `aws` on the PATH may be a user's wrapper script. */
export const debianAws = '/usr/bin/aws';

export interface Peer {
  readonly name: string;
  /** True if it transfers one file at a time. With many files, it is reported but not compared. */
  readonly isSerial: boolean;
  readonly transfer: (run: TransferRun) => Promise<Measured>;
}

/** The number of parallel requests that the peers are configured for. */
export interface AtOnceOfPeers {
  readonly files: Readonly<Record<TransferRun['kind'], number>>;
  /** Null for the programs' defaults. */
  readonly parts: number | null;
}

/** Prepares the configuration of all peers: the service, its keys, and separate settings files. */
export function peerSetup({ endpoint, keys }: BenchServer, folder: string) {
  const awsConfig = path.join(folder, 'aws-config');
  const s3cfg = path.join(folder, 's3cfg');
  const host = new URL(endpoint).host;
  writeFileSync(
    s3cfg,
    `[default]\naccess_key = ${keys.accessKeyId}\nsecret_key = ${keys.secretAccessKey}\nhost_base = ${host}\nhost_bucket = ${host}\nuse_https = False\n`,
  );
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: awsConfig,
  };
  const remote = (where: string): string =>
    `:s3,provider=Other,env_auth=true,region=us-east-1,force_path_style=true,endpoint="${endpoint}":${where}`;
  return { env, awsConfig, s3cfg, remote };
}

/** Returns the installed peers, configured for this parallelism. */
export function peers(
  server: BenchServer,
  folder: string,
  { files: filesAtOnce, parts: partsAtOnce }: AtOnceOfPeers,
): readonly Peer[] {
  const { env, awsConfig, s3cfg, remote } = peerSetup(server, folder);
  const { endpoint } = server;
  const found: Peer[] = [];
  if (isInstalled('rclone'))
    found.push({
      name: 'rclone',
      isSerial: false,
      transfer: async ({ kind, local, bucket, prefix, key }) => {
        const common = [
          '--s3-no-check-bucket',
          `--transfers=${filesAtOnce[kind]}`,
          `--checkers=${filesAtOnce[kind]}`,
          ...(partsAtOnce === null
            ? []
            : [`--s3-upload-concurrency=${partsAtOnce}`, `--multi-thread-streams=${partsAtOnce}`]),
        ];
        const isOne = key !== null;
        const verb = isOne ? 'copyto' : 'copy';
        const there = remote(
          `${bucket}/${isOne ? key : `${prefix}${kind === 'upload' ? path.basename(local) : ''}`}`,
        );
        const here = kind === 'download' && isOne ? path.join(local, path.posix.basename(key)) : local;
        const ways = kind === 'upload' ? [here, there] : [there, here];
        return await timed(env, 'rclone', [verb, ...ways, ...common]);
      },
    });
  if (isInstalled(debianAws) || isInstalled('aws'))
    found.push({
      name: 'awscli',
      isSerial: false,
      transfer: async ({ kind, local, bucket, prefix, key }) => {
        const atOnce = key === null ? filesAtOnce[kind] : partsAtOnce;
        writeFileSync(
          awsConfig,
          `[default]\n${atOnce === null ? '' : `s3 =\n  max_concurrent_requests = ${atOnce}\n`}`,
        );
        const there = `s3://${bucket}/${key ?? `${prefix}${kind === 'upload' ? path.basename(local) : ''}`}`;
        const ways = kind === 'upload' ? [local, there] : [there, local];
        const more = key === null ? ['--recursive'] : [];
        return await timed(env, debianAws, [
          's3',
          'cp',
          '--only-show-errors',
          '--endpoint-url',
          endpoint,
          ...more,
          ...(kind === 'download' && key !== null ? [there, `${local}/`] : ways),
        ]);
      },
    });
  if (isInstalled('s3cmd'))
    found.push({
      name: 's3cmd',
      isSerial: true,
      transfer: async ({ kind, local, bucket, prefix, key }) => {
        const common = ['-c', s3cfg, '--quiet', '--force'];
        const more = key === null ? ['--recursive'] : [];
        const there = `s3://${bucket}/${key ?? prefix}`;
        const ways =
          kind === 'upload' ? ['put', ...more, local, there] : ['get', ...more, there, `${local}/`];
        return await timed(env, 's3cmd', [...common, ...ways]);
      },
    });
  return found;
}

/** Runs a command and measures it with the shell's `time`, which includes child processes. */
export async function timed(
  env: Readonly<Record<string, string>>,
  command: string,
  parameters: readonly string[],
): Promise<Measured> {
  const script = `TIMEFORMAT='%R %U %S'; time "$@" > /dev/null`;
  const { stderr } = await run('bash', ['-c', script, 'time', command, ...parameters], {
    env: { ...env, LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const [seconds, user, system] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  if (seconds === undefined || user === undefined || system === undefined)
    throw new Error(`${command} was not timed: ${stderr}`);
  return { seconds, cpuSeconds: user + system, peakMiB: Number.NaN };
}
