import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Service } from '../../support/lab-service/server.ts';
import { call, keys, ok, region } from '../../unit/service/harness.ts';

const run = promisify(execFile);

/** Returns true if a program starts here; otherwise the tests that need it are skipped by name. */
export function runs(program: string, ...parameters: string[]): boolean {
  try {
    execFileSync(program, parameters.length === 0 ? ['--version'] : parameters, {
      stdio: 'ignore',
      timeout: 20_000,
    });
    return true;
  } catch {
    return false;
  }
}

/** The awscli on the path, and the system's own where that is another. */
export const awsCommands: readonly string[] =
  firstOnPath('aws') === '/usr/bin/aws' || !existsSync('/usr/bin/aws') ? ['aws'] : ['aws', '/usr/bin/aws'];

/** The system's own awscli where there is one. */
export const systemAws = awsCommands.at(-1) ?? 'aws';

/** The Python on the path and the system's own: they have different packages, and a different boto3. */
const pythons: readonly string[] =
  firstOnPath('python3') === '/usr/bin/python3' || !existsSync('/usr/bin/python3')
    ? ['python3']
    : ['python3', '/usr/bin/python3'];

/** Those that have boto3. */
export const boto3Pythons = pythons.filter((python) => runs(python, '-c', 'import boto3'));

export const hasBoto3 = boto3Pythons.length > 0;

/** The one of the system, or else the other one. */
export const python = boto3Pythons.at(-1) ?? 'python3';

function firstOnPath(command: string): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  return candidates.find((candidate) => existsSync(candidate));
}

export type Tool = (...parameters: string[]) => Promise<string>;

/** A program with an empty home and nothing of this computer's settings; gives what it prints, rejects when it fails. */
export function tool(command: string, home: string, env: Readonly<Record<string, string>> = {}): Tool {
  return async (...parameters) => {
    try {
      const { stdout } = await run(command, parameters, {
        cwd: home,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
        maxBuffer: 64 * 1024 * 1024,
        timeout: 100_000,
      });
      return stdout;
    } catch (error) {
      // Many programs say on their standard output what went wrong, and the message of the error leaves that out.
      const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
      throw new Error(`${String(error)}\n${said}`, { cause: error });
    }
  };
}

/** The keys in the form that the programs made of the SDKs of AWS read. */
export const awsEnvironment: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  AWS_DEFAULT_REGION: region,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** A remote `s:` of rclone, without a file of settings. */
export function rcloneEnvironment(service: Service, home: string): Readonly<Record<string, string>> {
  return {
    RCLONE_CONFIG: join(home, 'none.conf'),
    RCLONE_CONFIG_S_TYPE: 's3',
    RCLONE_CONFIG_S_PROVIDER: 'Other',
    RCLONE_CONFIG_S_ENDPOINT: service.endpoint,
    RCLONE_CONFIG_S_REGION: region,
    RCLONE_CONFIG_S_ACCESS_KEY_ID: keys.accessKeyId,
    RCLONE_CONFIG_S_SECRET_ACCESS_KEY: keys.secretAccessKey,
  };
}

export type BucketKind = 'unversioned' | 'versioned';

/** An empty bucket of that name. */
export async function makeBucket(service: Service, bucket: string, kind: BucketKind): Promise<void> {
  ok(await call(service, { method: 'PUT', path: `/${bucket}` }));
  if (kind === 'unversioned') return;
  ok(
    await call(service, {
      method: 'PUT',
      path: `/${bucket}`,
      query: { versioning: '' },
      body: '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
    }),
  );
}
