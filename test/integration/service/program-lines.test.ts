import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keysFile, sampleCredentials, sampleRegion } from '../../../electron/host/sample-credentials.ts';
import {
  programLines,
  programs,
  type ForeignProgram,
} from '../../../renderer/features/connections/programs/program-lines.ts';
import { startService } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { call } from '../../unit/service/harness.ts';
import { awsCommands, boto3Pythons, hasBoto3, python, runs, systemAws, tool } from './programs.ts';

const isHere: Readonly<Record<ForeignProgram, boolean>> = {
  awscli: runs(systemAws),
  rclone: runs('rclone', 'version'),
  s3cmd: runs('s3cmd'),
  boto3: hasBoto3,
  restic: runs('restic', 'version'),
};

/** Shell functions that choose the program to test if several of that name are installed. */
const shellFunctions: Readonly<Partial<Record<ForeignProgram, string>>> = {
  awscli: `aws() { ${systemAws} "$@"; }`,
  boto3: `python3() { ${python} "$@"; }`,
};

const presigners: readonly (readonly [string, string])[] = [
  ...awsCommands
    .filter((command) => runs(command))
    .map(
      (command) =>
        [command, `${command} --endpoint-url "$ENDPOINT" s3 presign s3://bucket/note.txt`] as const,
    ),
  ...boto3Pythons.map(
    (command) =>
      [
        command,
        `${command} -c "import boto3, os; c = boto3.client('s3', endpoint_url=os.environ['ENDPOINT']); ` +
          `print(c.generate_presigned_url('get_object', {'Bucket': 'bucket', 'Key': 'note.txt'}))"`,
      ] as const,
  ),
];

test.skipIf(presigners.length === 0 || process.platform === 'win32').each(presigners)(
  'a link signed by %s in the terminal is Version 4 and works',
  async (_program, line) => {
    const dataDir = tempDir();
    const credentials = sampleCredentials(dataDir);
    const service = await startService({
      dataDir: join(dataDir, 'buckets'),
      credentials: [credentials],
      region: sampleRegion,
    });
    onTestFinished(() => service.close());
    service.store.buckets.create('bucket', 0);
    const signer = { credentials, region: sampleRegion };
    const stored = await call(service, {
      method: 'PUT',
      path: '/bucket/note.txt',
      body: 'linked',
      ...signer,
    });
    expect(stored.status).toBe(200);
    const place = { endpoint: service.endpoint, region: sampleRegion, keysFile: keysFile(dataDir) };
    const shell = tool('sh', tempDir(), {
      ENDPOINT: service.endpoint,
      TMPDIR: tempDir(),
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    const { keys } = programLines(place, { platform: 'linux', dataDir });
    const link = (await shell('-c', ['set -e', keys, line].join('\n'))).trim();
    expect(new URL(link).searchParams.get('X-Amz-Algorithm')).toBe('AWS4-HMAC-SHA256');
    expect(await (await fetch(link)).text()).toBe('linked');
  },
  60_000,
);

describe.each(programs)('the command line shown for %s', (program) => {
  test.skipIf(!isHere[program] || process.platform === 'win32')(
    `${program}: reaches the sample service with the keys from their file`,
    async () => {
      // Characters that a shell requires to be quoted.
      const dataDir = join(tempDir(), `it's "my" $HOME`);
      mkdirSync(dataDir);
      const credentials = sampleCredentials(dataDir);
      const service = await startService({
        dataDir: join(dataDir, 'buckets'),
        credentials: [credentials],
        region: sampleRegion,
      });
      onTestFinished(() => service.close());
      service.store.buckets.create('seen-by-all', 0);
      const place = { endpoint: service.endpoint, region: sampleRegion, keysFile: keysFile(dataDir) };
      const lines = programLines(place, { platform: 'linux', dataDir });
      expect(JSON.stringify(lines)).not.toContain(credentials.secretAccessKey);

      const shell = tool('sh', tempDir(), {
        RESTIC_PASSWORD: 'of the test',
        AWS_PROFILE: 'of-another-service',
        AWS_SESSION_TOKEN: 'of another service',
        AWS_EC2_METADATA_DISABLED: 'true',
      });
      const printed = await shell(
        '-c',
        ['set -e', shellFunctions[program] ?? ':', lines.keys, lines.programs[program]].join('\n'),
      );
      const buckets = service.store.buckets.all().map(({ name }) => name);
      // restic prints where its repository is, and made the bucket for it.
      expect(printed).toContain(program === 'restic' ? `${service.endpoint}/restic` : 'seen-by-all');
      expect(buckets).toEqual(program === 'restic' ? ['restic', 'seen-by-all'] : ['seen-by-all']);
    },
    60_000,
  );
});
