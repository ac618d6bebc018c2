import { failure } from '../../../shared/errors.ts';
import type { ItemState } from '../../../shared/models/transfers.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { csvText } from '../walks/tables/export-text.ts';
import type { Item } from './items/transfer-item.ts';
import type { TransferDriver } from './transfer-driver.ts';

const rowsPerChunk = 1000;
const encoder = new TextEncoder();
const head = 'Bucket,Key,Upload ID,Result,Why,Size in bytes';

const results: Readonly<Record<ItemState, string>> = {
  todo: 'not done',
  asking: 'waits for a decision',
  held: 'not done',
  done: 'done',
  skipped: 'skipped',
  failed: 'failed',
};

export interface ReportChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
}

/**
 * Returns a CSV report (RFC 4180) in chunks, with key, result, reason and size of each item of a job. Throws `not-found` if the
 * job no longer exists.
 */
export function itemReport(
  deps: { readonly store: JobStore; readonly driver: TransferDriver },
  jobId: string,
): { readonly bucket: string; readonly chunks: () => AsyncIterable<ReportChunk> } {
  const stored = deps.store.load(jobId);
  if (stored === null) throw failure('not-found', 'There is no such job.', { reason: 'job-gone' });
  const job = deps.driver.parse(JSON.parse(stored.data));
  return {
    bucket: job.bucket === '' ? 'uploads' : job.bucket,
    chunks: async function* () {
      let afterSeq = -1;
      let text = `${head}\r\n`;
      for (;;) {
        const items = deps.driver.items.after(jobId, afterSeq, rowsPerChunk);
        const last = items.at(-1);
        text += items.map((item) => `${lineOf(item, job.bucket)}\r\n`).join('');
        yield await Promise.resolve({ bytes: encoder.encode(text), rows: items.length });
        if (last === undefined) return;
        afterSeq = last.seq;
        text = '';
      }
    },
  };
}

function lineOf(item: Item, bucket: string): string {
  const isUpload = item.work === 'stalled';
  return [
    csvText(isUpload ? item.bucket : bucket),
    csvText(item.key),
    csvText(isUpload ? item.uploadId : ''),
    resultOf(item),
    csvText(whyOf(item)),
    item.sizeBytes === null ? '' : String(item.sizeBytes),
  ].join(',');
}

function resultOf(item: Item): string {
  return item.work === 'stalled' && item.note === 'upload-gone' ? 'already gone' : results[item.state];
}

function whyOf({ error, note }: Item): string {
  if (error === null) return note ?? '';
  const { message, s3 } = error;
  return s3?.code === undefined ? message : `${message} (${s3.code})`;
}
