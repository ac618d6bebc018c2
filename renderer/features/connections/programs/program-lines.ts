import type { SampleService } from '../../../../shared/models/connection.ts';
import type { HostInfo } from '../../../../shared/models/settings.ts';
import { shellQuoted } from '../../../ui/clipboard/shell-quote.ts';

export const programs = ['awscli', 'rclone', 's3cmd', 'boto3', 'restic'] as const;

export type ForeignProgram = (typeof programs)[number];

/** The facts about the host on which the commands depend. */
export type ProgramHost = Pick<HostInfo, 'platform' | 'dataDir'>;

/** Returns commands to paste into a terminal. They are for PowerShell on Windows, and for a POSIX shell on other systems. */
export function programLines(
  { endpoint, region, keysFile }: SampleService,
  { platform, dataDir }: ProgramHost,
) {
  const isWindows = platform === 'win32';
  const quoted = (text: string): string => shellQuoted(text, platform);
  const host = endpoint.replace(/^https?:\/\//, '');
  const noFile = isWindows ? 'NUL' : '/dev/null';
  // Avoids characters that PowerShell and POSIX shells quote differently, so that the same text works in both.
  const python = `import boto3; print(boto3.client('s3', endpoint_url='${endpoint}').list_buckets()['Buckets'])`;
  return {
    /** A command that reads the keys from a file into a terminal's environment. It contains no secret. */
    keys: isWindows ? powerShellKeys(quoted(keysFile), region) : posixKeys(quoted(keysFile), region),
    /** For each program, a first command in the same terminal. It lists the buckets or creates a backup repository. */
    programs: {
      awscli: `aws --endpoint-url ${endpoint} s3 ls`,
      rclone: `rclone lsd ":s3,provider=Other,env_auth=true,region=${region},endpoint='${endpoint}':"`,
      // Skips the program's configuration file, which may hold the keys of another service.
      s3cmd: `s3cmd -c ${noFile} --no-ssl --host=${host} --host-bucket=${host} --region=${region} ls`,
      boto3: `${isWindows ? 'python' : 'python3'} -c "${python}"`,
      restic: `restic -r s3:${endpoint}/restic init`,
    },
    /** The command that runs the same service without the app, at a permanent address. */
    alone: `cooper service --data-dir ${quoted(dataDir)} --port 9000`,
  };
}

/**
 * Reads the keys into the environment, with a configuration file for this terminal only. Otherwise, in us-east-1, awscli version
 * 1 and boto3 sign links with version 2 (botocore, `_default_s3_presign_to_sigv2`), which the service refuses.
 */
function posixKeys(file: string, region: string): string {
  const read = (name: string): string => String.raw`"$(sed -n 's/.*"${name}": *"\([^"]*\)".*/\1/p' ${file})"`;
  return [
    'unset AWS_PROFILE AWS_SESSION_TOKEN',
    `export AWS_ACCESS_KEY_ID=${read('accessKeyId')}`,
    `export AWS_SECRET_ACCESS_KEY=${read('secretAccessKey')}`,
    `export AWS_DEFAULT_REGION=${region}`,
    'export AWS_CONFIG_FILE="$(mktemp)"',
    String.raw`printf '[default]\ns3 =\n  signature_version = s3v4\n' > "$AWS_CONFIG_FILE"`,
  ].join('\n');
}

function powerShellKeys(file: string, region: string): string {
  return [
    'Remove-Item Env:AWS_PROFILE, Env:AWS_SESSION_TOKEN -ErrorAction Ignore',
    `$keys = Get-Content -Raw -LiteralPath ${file} | ConvertFrom-Json`,
    '$env:AWS_ACCESS_KEY_ID = $keys.accessKeyId',
    '$env:AWS_SECRET_ACCESS_KEY = $keys.secretAccessKey',
    `$env:AWS_DEFAULT_REGION = '${region}'`,
    '$env:AWS_CONFIG_FILE = (New-TemporaryFile).FullName',
    "'[default]', 's3 =', '  signature_version = s3v4' | Set-Content -LiteralPath $env:AWS_CONFIG_FILE",
  ].join('\n');
}
