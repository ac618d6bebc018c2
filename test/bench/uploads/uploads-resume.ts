import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startServiceInWorker } from '../../../electron/service/worker.ts';
import { silentLogger } from '../../support/servers/s3-client.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { buildChild } from '../support/build-child.ts';
import { benchKeys } from '../support/bench-keys.ts';
import { median, type Figure } from '../report.ts';
import { bigFile } from './uploads-verify.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;
const partMiB = 16;
const parallel = 4;

export interface ResumeRun {
  readonly endpoint: string;
  readonly folder: string;
  readonly file: string;
  readonly uploadId: string;
}
export interface ResumeResult {
  readonly ms: number;
  readonly peakRssMiB: number;
}

/** Resumes the second half of a 1 GiB upload, compared with rclone and aws s3 cp uploading that half. */
export async function uploadsResumeBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const service = await startServiceInWorker(
    { dataDir: path.join(folder, 'service'), credentials: [benchKeys], region: 'us-east-1' },
    { logger: silentLogger },
  );
  const client = realClient({ endpoint: service.endpoint, keys: benchKeys });
  try {
    await client.createBucket({ bucket: 'bench' });
    const { file } = await bigFile(folder, 1024, partMiB);
    const half = path.join(folder, 'half.bin');
    copySecondHalf(file, half);

    const program = await buildChild(new URL('./uploads-resume-child.ts', import.meta.url));
    const ours: ResumeResult[] = [];
    const theirs: Record<string, number[]> = {};
    for (let round = 0; round < 3; round += 1) {
      const { uploadId } = await client.createMultipartUpload({ bucket: 'bench', key: 'big.bin' });
      for (let part = 1; part <= 512 / partMiB; part += 1)
        await client.uploadPart({
          bucket: 'bench',
          key: 'big.bin',
          uploadId,
          partNumber: part,
          body: sliceOf(file, (part - 1) * partMiB * MiB, partMiB * MiB),
        });
      ours.push(await resumeInChild(program, { endpoint: service.endpoint, folder, file, uploadId }));
      for (const [name, upload] of peers(service.endpoint, folder, half)) {
        const started = performance.now();
        if (await upload()) (theirs[name] ??= []).push(performance.now() - started);
      }
    }
    const ourMs = median(ours.map((run) => run.ms));
    const figures: Figure[] = [
      { name: 'resume the second half of 1 GiB', value: ourMs / 1000, unit: 's' },
      {
        name: 'memory while resuming',
        value: Math.max(...ours.map((run) => run.peakRssMiB)),
        unit: 'MiB',
        limit: { kind: 'at-most', value: parallel * partMiB + 150 },
      },
    ];
    for (const [name, times] of Object.entries(theirs)) {
      figures.push({ name: `${name} uploads the same half`, value: median(times) / 1000, unit: 's' });
      figures.push({
        name: `resuming, as fast as ${name}`,
        value: median(times) / ourMs,
        unit: 'times',
        limit: { kind: 'at-least', value: 1 },
      });
    }
    return figures;
  } finally {
    await client.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function copySecondHalf(from: string, to: string): void {
  const source = openSync(from, 'r');
  const target = openSync(to, 'w');
  const block = Buffer.alloc(16 * MiB);
  for (let offset = 512; offset < 1024; offset += 16) {
    readSync(source, block, 0, block.byteLength, offset * MiB);
    writeSync(target, block);
  }
  closeSync(source);
  closeSync(target);
}

function sliceOf(file: string, offset: number, sizeBytes: number): { sizeBytes: number; open: () => Buffer } {
  return {
    sizeBytes,
    open: () => {
      const bytes = Buffer.alloc(sizeBytes);
      const source = openSync(file, 'r');
      readSync(source, bytes, 0, sizeBytes, offset);
      closeSync(source);
      return bytes;
    },
  };
}

/** Resumes an upload in a separate process, so that its memory can be measured. */
async function resumeInChild(program: string, input: ResumeRun): Promise<ResumeResult> {
  const child = fork(program, [], { execPath: process.execPath, execArgv: [] });
  child.send({ ...input });
  const [result] = (await once(child, 'message')) as [ResumeResult];
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return result;
}

function peers(endpoint: string, folder: string, half: string): [string, () => Promise<boolean>][] {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    AWS_ACCESS_KEY_ID: benchKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: benchKeys.secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: path.join(folder, 'aws-config'),
  };
  writeFileSync(
    env.AWS_CONFIG_FILE,
    `[default]\ns3 =\n  multipart_chunksize = ${partMiB}MB\n  max_concurrent_requests = ${parallel}\n`,
  );
  const attempt = async (command: string, parameters: string[]): Promise<boolean> => {
    try {
      await run(command, parameters, { env });
      return true;
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return false;
      throw thrown;
    }
  };
  const remote =
    `:s3,provider=Other,env_auth=true,region=us-east-1,force_path_style=true,endpoint="${endpoint}",` +
    `chunk_size=${partMiB}Mi,upload_concurrency=${parallel}:bench/half`;
  return [
    ['rclone', () => attempt('rclone', ['copyto', half, remote, '--s3-no-check-bucket', '--ignore-times'])],
    [
      'aws s3 cp',
      () =>
        attempt('aws', [
          's3',
          'cp',
          '--only-show-errors',
          '--endpoint-url',
          endpoint,
          half,
          's3://bench/half-aws',
        ]),
    ],
  ];
}
