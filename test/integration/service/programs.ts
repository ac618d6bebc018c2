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

/** The awscli on the PATH, and the system's if it is a different one. */
export const awsCommands: readonly string[] =
  firstOnPath('aws') === '/usr/bin/aws' || !existsSync('/usr/bin/aws') ? ['aws'] : ['aws', '/usr/bin/aws'];

/** The system's awscli if there is one. */
export const systemAws = awsCommands.at(-1) ?? 'aws';

/** The Python on the PATH and the system's, which may have different versions of boto3. */
const pythons: readonly string[] =
  firstOnPath('python3') === '/usr/bin/python3' || !existsSync('/usr/bin/python3')
    ? ['python3']
    : ['python3', '/usr/bin/python3'];

/** The Pythons with boto3. */
export const boto3Pythons = pythons.filter((python) => runs(python, '-c', 'import boto3'));

export const hasBoto3 = boto3Pythons.length > 0;

/** The system's Python if it has boto3, else another one with it. */
export const python = boto3Pythons.at(-1) ?? 'python3';

function firstOnPath(command: string): string | undefined {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  return candidates.find((candidate) => existsSync(candidate));
}

export type Tool = (...parameters: string[]) => Promise<string>;

/** Returns a function that runs a program with an empty home folder and without this computer's settings. */
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
      // Adds the standard output, where many programs print the problem, and which the error's message lacks.
      const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
      throw new Error(`${String(error)}\n${output}`, { cause: error });
    }
  };
}

/** The environment variables with the keys, for programs that use AWS's SDKs. */
export const awsEnvironment: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  AWS_DEFAULT_REGION: region,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Returns environment variables that define rclone's remote `s:`, without a configuration file. */
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

/** Creates an empty bucket of this kind. */
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
