import { createHash } from 'node:crypto';
import { AppFailure, failure } from '../../../shared/errors.ts';
import type { RequestOptions } from '../s3/model/request-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import {
  damagedReport,
  readManifest,
  type ReportFile,
  type ReportManifest,
} from './manifest/report-manifest.ts';

/** The location of a report's manifest.json. */
export interface ManifestRef {
  readonly bucket: string;
  readonly key: string;
}

/** The maximum size of a manifest, which is enough for a hundred thousand data files. */
const maxManifestBytes = 64 * 1024 * 1024;
const maxChecksumBytes = 1024;

type Reader = Pick<S3Client, 'getObject'>;

/**
 * Reads a manifest.json and compares it with its manifest.checksum. Throws AppFailure: `inventory-damaged` if they differ,
 * `inventory-unfinished` if there is no checksum, because the service writes it last.
 */
export async function readReport(
  client: Reader,
  ref: ManifestRef,
  options: RequestOptions = {},
): Promise<ReportManifest> {
  const bytes = await smallObject(client, ref, maxManifestBytes, options);
  const folder = ref.key.slice(0, ref.key.lastIndexOf('/') + 1);
  const checksum = { bucket: ref.bucket, key: `${folder}manifest.checksum` };
  const statedMd5 = await expectedMd5(client, checksum, options);
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (statedMd5 !== md5)
    throw damagedReport(`manifest.json has the MD5 ${md5}, and manifest.checksum says ${statedMd5}`);
  return readManifest(bytes.toString('utf8'));
}

async function expectedMd5(client: Reader, ref: ManifestRef, options: RequestOptions): Promise<string> {
  try {
    const text = (await smallObject(client, ref, maxChecksumBytes, options)).toString('latin1').trim();
    if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    throw failure('not-found', `There is no ${ref.key}. The report may not be finished.`, {
      reason: 'inventory-unfinished',
      retry: 'after-fix',
      cause: thrown,
    });
  }
  throw damagedReport('manifest.checksum contains no MD5');
}

async function smallObject(
  client: Reader,
  ref: ManifestRef,
  maxBytes: number,
  options: RequestOptions,
): Promise<Buffer> {
  const { sizeBytes, body, read } = await client.getObject(ref, options);
  if (sizeBytes !== null && sizeBytes > maxBytes) {
    body.destroy();
    throw damagedReport(`${ref.key} has ${sizeBytes} bytes`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  await read((chunk) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw damagedReport(`${ref.key} has more than ${maxBytes} bytes`);
    chunks.push(Uint8Array.from(chunk));
  });
  return Buffer.concat(chunks);
}

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof AppFailure && thrown.error.code === 'not-found';
}

/**
 * Returns the possible keys of a data file: as in the manifest, or beside the manifest. If a destination prefix ends with a
 * slash, AWS stores the files below `prefix//` but writes one slash in the manifest.
 */
export function keysOfFile({ key }: ReportFile, manifestKey: string): readonly string[] {
  const configuration = manifestKey.split('/').slice(0, -2).join('/');
  const name = key.slice(key.lastIndexOf('/') + 1);
  return [...new Set([key, `${configuration}/data/${name}`])];
}
