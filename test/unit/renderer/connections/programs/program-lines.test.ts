import { describe, expect, test } from 'vitest';
import { programLines } from '../../../../../renderer/features/connections/programs/program-lines.ts';

const service = {
  endpoint: 'http://127.0.0.1:4321',
  region: 'us-east-1',
  keysFile: "/home/o'hara/My Data/keys.json",
};

describe('command lines for other programs', () => {
  test("contain the endpoint in each program's syntax", () => {
    const { programs } = programLines(service, { platform: 'linux', dataDir: '/data' });
    expect(programs).toEqual({
      awscli: 'aws --endpoint-url http://127.0.0.1:4321 s3 ls',
      rclone: `rclone lsd ":s3,provider=Other,env_auth=true,region=us-east-1,endpoint='http://127.0.0.1:4321':"`,
      s3cmd:
        's3cmd -c /dev/null --no-ssl --host=127.0.0.1:4321 --host-bucket=127.0.0.1:4321 --region=us-east-1 ls',
      boto3: `python3 -c "import boto3; print(boto3.client('s3', endpoint_url='http://127.0.0.1:4321').list_buckets()['Buckets'])"`,
      restic: 'restic -r s3:http://127.0.0.1:4321/restic init',
    });
  });

  test('quote file paths for a POSIX shell and unset profile and token', () => {
    const { keys, alone } = programLines(service, { platform: 'darwin', dataDir: "/home/o'hara" });
    expect(keys).toContain(String.raw`'/home/o'\''hara/My Data/keys.json'`);
    expect(keys.split('\n')[0]).toBe('unset AWS_PROFILE AWS_SESSION_TOKEN');
    expect(alone).toBe(String.raw`cooper service --data-dir '/home/o'\''hara' --port 9000`);
  });

  test('are for PowerShell on Windows', () => {
    const windows = { ...service, keysFile: String.raw`C:\Users\O'Hara\keys.json` };
    const { keys, programs } = programLines(windows, { platform: 'win32', dataDir: String.raw`C:\data` });
    expect(keys.split('\n')).toEqual([
      'Remove-Item Env:AWS_PROFILE, Env:AWS_SESSION_TOKEN -ErrorAction Ignore',
      String.raw`$keys = Get-Content -Raw -LiteralPath 'C:\Users\O''Hara\keys.json' | ConvertFrom-Json`,
      '$env:AWS_ACCESS_KEY_ID = $keys.accessKeyId',
      '$env:AWS_SECRET_ACCESS_KEY = $keys.secretAccessKey',
      "$env:AWS_DEFAULT_REGION = 'us-east-1'",
      '$env:AWS_CONFIG_FILE = (New-TemporaryFile).FullName',
      "'[default]', 's3 =', '  signature_version = s3v4' | Set-Content -LiteralPath $env:AWS_CONFIG_FILE",
    ]);
    expect(programs.boto3).toMatch(/^python -c "/);
    expect(programs.s3cmd).toContain('-c NUL ');
  });
});
