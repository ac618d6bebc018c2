import type { S3Client } from '../s3/model/s3-client.ts';
import { strongEtag } from '../s3/model/etag.ts';
import type { ByteRange } from '../s3/model/object-types.ts';
import { isMissing, keysOfFile, type ManifestRef } from './report.ts';
import { damagedReport, type ReportFile } from './manifest/report-manifest.ts';
import type { ReportThread } from './report-thread.ts';
import type { FileResponse, FileEnd, FileReadOptions } from './rows/report-rows.ts';
import { failure } from '../../../shared/errors.ts';

export interface DataFileInput {
  readonly client: Pick<S3Client, 'getObject' | 'headObject'>;
  readonly thread: ReportThread;
  readonly file: ReportFile;
  readonly ref: ManifestRef;
  readonly options: Omit<FileReadOptions, 'isPacked' | 'sizeBytes' | 'tail'>;
  readonly signal: AbortSignal;
  readonly onRequest: () => void;
  /** Called with rows. Resolves when more rows can be processed. */
  readonly onRows: (response: FileResponse) => Promise<void>;
}

/** The number of bytes in one message to the thread. */
const feedBytes = 256 * 1024;
const rangeBytes = 8 * 1024 * 1024;
/** The number of bytes to read first at the end of a Parquet file. The footer of an inventory report is usually smaller. */
const tailBytes = 64 * 1024;
const maxTailBytes = 32 * 1024 * 1024;

/** Reads one data file and compares its size and MD5 with the manifest. Throws AppFailure if they differ. */
export async function readDataFile(input: DataFileInput): Promise<FileEnd> {
  const { client, file, ref, thread, options, signal, onRows } = input;
  const found = await findFile(input);
  if (found.sizeBytes !== file.sizeBytes)
    throw damagedReport(`${file.key} has ${found.sizeBytes} bytes, and the manifest says ${file.sizeBytes}`);
  const tail = options.format === 'Parquet' ? await tailOf(found, input) : null;
  const opened = await thread.open({
    ...options,
    isPacked: options.format === 'CSV' && file.key.endsWith('.gz'),
    sizeBytes: file.sizeBytes,
    tail,
  });
  try {
    const feed = createFeeder(async (bytes) => await onRows(await opened.add(bytes)));
    const bytesPerRange = options.format === 'Parquet' ? rangeBytes : file.sizeBytes;
    for (const range of rangesOf(file.sizeBytes, bytesPerRange)) {
      input.onRequest();
      const objectContent = await client.getObject(
        {
          bucket: ref.bucket,
          key: found.key,
          ...(range === null ? {} : { range }),
          ...ifMatchOf(found.etag),
        },
        { signal },
      );
      await objectContent.read(feed.add);
    }
    await feed.flush();
    const end = await opened.end();
    if (end.md5 !== file.md5)
      throw damagedReport(`${file.key} has the MD5 ${end.md5}, and the manifest says ${file.md5}`);
    await onRows(end);
    return end;
  } finally {
    await opened.close();
  }
}

interface FoundFile {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string | null;
}

async function findFile({ client, file, ref, signal, onRequest }: DataFileInput): Promise<FoundFile> {
  for (const key of keysOfFile(file, ref.key)) {
    onRequest();
    try {
      const { sizeBytes, etag } = await client.headObject({ bucket: ref.bucket, key }, { signal });
      return { key, sizeBytes, etag };
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
    }
  }
  throw failure('not-found', `The data file ${file.key} of the report is missing.`, {
    reason: 'inventory-missing',
    retry: 'after-fix',
  });
}

/** Returns the ranges to request; [null] means the whole file. */
function rangesOf(sizeBytes: number, bytesPerRange: number): readonly (ByteRange | null)[] {
  if (sizeBytes <= bytesPerRange) return sizeBytes === 0 ? [] : [null];
  return Array.from({ length: Math.ceil(sizeBytes / bytesPerRange) }, (_, at) => ({
    firstByte: at * bytesPerRange,
    lastByte: Math.min(sizeBytes, (at + 1) * bytesPerRange) - 1,
  }));
}

/** Collects small chunks, because each message to the thread has a cost. */
function createFeeder(take: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>): {
  /** Returns undefined if more can be added at once; otherwise a promise to await first. */
  readonly add: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly flush: () => Promise<void>;
} {
  let gathered = new Uint8Array(feedBytes);
  let filled = 0;
  const flush = async (): Promise<void> => {
    if (filled === 0) return;
    const bytes = filled === gathered.byteLength ? gathered : gathered.slice(0, filled);
    gathered = new Uint8Array(feedBytes);
    filled = 0;
    await take(bytes);
  };
  const put = (chunk: Uint8Array): void => {
    gathered.set(chunk, filled);
    filled += chunk.byteLength;
  };
  const split = async (chunk: Uint8Array): Promise<void> => {
    for (let from = 0; from < chunk.byteLength;) {
      const part = chunk.subarray(from, from + gathered.byteLength - filled);
      put(part);
      from += part.byteLength;
      if (filled === gathered.byteLength) await flush();
    }
  };
  return {
    add: (chunk) => {
      if (filled + chunk.byteLength >= gathered.byteLength) return split(chunk);
      put(chunk);
      return undefined;
    },
    flush,
  };
}

/** A weak ETag never matches (RFC 9110, 13.1.1). The MD5 of the file in the manifest shows a change then. */
function ifMatchOf(etag: string | null): { readonly ifMatch?: string } {
  const ifMatch = strongEtag(etag);
  return ifMatch === null ? {} : { ifMatch };
}

/** Reads the end of a Parquet file, with its whole footer. */
async function tailOf(
  { key, etag }: FoundFile,
  { client, file, ref, signal, onRequest }: DataFileInput,
): Promise<Uint8Array<ArrayBuffer>> {
  const readLast = async (requestedBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
    const length = Math.min(requestedBytes, file.sizeBytes);
    const bytes = new Uint8Array(length);
    let filled = 0;
    onRequest();
    const range = { firstByte: file.sizeBytes - length, lastByte: file.sizeBytes - 1 };
    const objectContent = await client.getObject(
      { bucket: ref.bucket, key, range, ...ifMatchOf(etag) },
      { signal },
    );
    await objectContent.read((chunk) => {
      bytes.set(chunk, filled);
      filled += chunk.byteLength;
    });
    return bytes;
  };
  if (file.sizeBytes < 12) throw damagedReport(`${file.key} is not a Parquet file`);
  const first = await readLast(tailBytes);
  const view = new DataView(first.buffer);
  const isParquet = view.getUint32(first.byteLength - 4, true) === 0x3152_4150;
  const needed = view.getUint32(first.byteLength - 8, true) + 8;
  if (!isParquet || needed > maxTailBytes || needed > file.sizeBytes)
    throw damagedReport(`${file.key} is not a Parquet file`);
  return needed <= first.byteLength ? first : await readLast(needed);
}
