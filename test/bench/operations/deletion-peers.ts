import { writeFileSync } from 'node:fs';
import { isInstalled } from '../../support/installed.ts';
import { debianAws, peerSetup, timed } from '../support/peers.ts';
import type { BenchServer } from '../support/bench-servers.ts';

export interface DeletionPeer {
  readonly name: string;
  /** Deletes all objects below the prefix. */
  readonly remove: (bucket: string, prefix: string) => Promise<{ readonly seconds: number }>;
}

/** The number of parallel requests, the same as Cooper's initial limit. */
const atOnce = 32;

/** Returns the other installed programs, each with its way to delete a folder. */
export function deletionPeers(server: BenchServer, folder: string): readonly DeletionPeer[] {
  const { env, awsConfig, s3cfg, remote } = peerSetup(server, folder);
  writeFileSync(awsConfig, `[default]\ns3 =\n  max_concurrent_requests = ${atOnce}\n`);
  const found: DeletionPeer[] = [];
  if (isInstalled('rclone'))
    found.push({
      name: 'rclone',
      remove: async (bucket, prefix) =>
        await timed(env, 'rclone', [
          'delete',
          remote(`${bucket}/${prefix}`),
          `--checkers=${atOnce}`,
          `--transfers=${atOnce}`,
        ]),
    });
  if (isInstalled(debianAws))
    found.push({
      name: 'awscli',
      remove: async (bucket, prefix) =>
        await timed(env, debianAws, [
          's3',
          'rm',
          '--recursive',
          '--only-show-errors',
          '--endpoint-url',
          server.endpoint,
          `s3://${bucket}/${prefix}`,
        ]),
    });
  if (isInstalled('s3cmd'))
    found.push({
      name: 's3cmd',
      remove: async (bucket, prefix) =>
        await timed(env, 's3cmd', [
          '-c',
          s3cfg,
          '--quiet',
          '--force',
          '--recursive',
          'del',
          `s3://${bucket}/${prefix}`,
        ]),
    });
  return found;
}
