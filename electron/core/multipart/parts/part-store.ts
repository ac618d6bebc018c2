import { z } from 'zod';
import { failure, type AppFailure } from '../../../../shared/errors.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { CompletedPart } from '../../s3/model/multipart-types.ts';
import { checksumNames, type PartChecksums } from '../../disk/checksums.ts';
import { checksumsSchema } from '../../disk/stored-checksums.ts';
import { combineChecksums } from '../../disk/combine-checksums.ts';

/** The stored state of one part of a job. */
export interface PartRecord {
  readonly partNumber: number;
  readonly offset: number;
  readonly sizeBytes: number;
  /**
   * `sent`: this program sent the part and the service confirmed it. `accepted`: unverified, because the user agreed or the
   * service reports nothing that could verify it.
   */
  readonly state: 'todo' | 'verified' | 'accepted' | 'sent';
  /** The MD5 of the part's range in the file; null if unknown. */
  readonly md5: string | null;
  /** The ETag that the service had for the part when this state was reached. */
  readonly etag: string | null;
  readonly checksums: PartChecksums;
}

const stateSchema = z.enum(['todo', 'verified', 'accepted', 'sent']);
const completedSchema = z.array(
  z.object({ partNumber: z.int(), etag: z.string(), checksums: checksumsSchema.optional() }),
);

/** Stores the parts and completion intents of jobs. Each part has its own row, so that updating one rewrites no others. */
export class PartStore {
  readonly #store: JobStore;

  constructor(store: JobStore) {
    this.#store = store;
  }

  put(jobId: string, part: PartRecord): void {
    this.#store.run(
      `INSERT OR REPLACE INTO job_parts (job_id, part_number, offset_bytes, size_bytes, state, md5, etag, checksums)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      jobId,
      part.partNumber,
      part.offset,
      part.sizeBytes,
      part.state,
      part.md5,
      part.etag,
      Object.keys(part.checksums).length === 0 ? null : JSON.stringify(part.checksums),
    );
  }

  /** Returns the parts in order. Throws `AppError('storage')` (`record-damaged`) if one cannot be read. */
  all(jobId: string): readonly PartRecord[] {
    return this.#store
      .all(
        `SELECT part_number, offset_bytes, size_bytes, state, md5, etag, checksums FROM job_parts
         WHERE job_id = ? ORDER BY part_number`,
        jobId,
      )
      .map((row) => ({
        partNumber: Number(row['part_number']),
        offset: Number(row['offset_bytes']),
        sizeBytes: Number(row['size_bytes']),
        state: stateIn(row['state']),
        md5: typeof row['md5'] === 'string' ? row['md5'] : null,
        etag: typeof row['etag'] === 'string' ? row['etag'] : null,
        checksums: row['checksums'] === null ? {} : readStored(checksumsSchema, row['checksums']),
      }));
  }

  remove(jobId: string, partNumber: number): void {
    this.#store.run(`DELETE FROM job_parts WHERE job_id = ? AND part_number = ?`, jobId, partNumber);
  }

  clear(jobId: string): void {
    this.#store.run(`DELETE FROM job_parts WHERE job_id = ?`, jobId);
  }

  /** Stores the exact part list of a Complete request before the request is sent. */
  putIntent(jobId: string, parts: readonly CompletedPart[]): void {
    this.#store.run(
      `INSERT OR REPLACE INTO job_intents (job_id, parts) VALUES (?, ?)`,
      jobId,
      JSON.stringify(parts),
    );
  }

  /**
   * Returns the stored part list of the Complete request, or null if none is stored. Throws `AppError('storage')`
   * (`record-damaged`) if it cannot be read.
   */
  intent(jobId: string): readonly CompletedPart[] | null {
    const row = this.#store.get(`SELECT parts FROM job_intents WHERE job_id = ?`, jobId);
    if (row === undefined) return null;
    return readStored(completedSchema, row['parts']).map(({ partNumber, etag, checksums }) => ({
      partNumber,
      etag,
      ...(checksums === undefined ? {} : { checksums }),
    }));
  }
}

/**
 * Throws `AppError('storage')` (`record-damaged`) unless the parts cover the file without gaps. With a damaged offset or size,
 * a part would be sent with other bytes of the file, and nothing later would show it.
 */
export function requireWholeFile(records: readonly PartRecord[], fileBytes: number): void {
  let end = 0;
  for (const { offset, sizeBytes } of records) {
    if (offset !== end || sizeBytes < 0) throw damagedPart();
    end += sizeBytes;
  }
  if (end !== fileBytes) throw damagedPart();
}

function stateIn(column: unknown): PartRecord['state'] {
  const state = stateSchema.safeParse(column);
  if (!state.success) throw damagedPart();
  return state.data;
}

function readStored<T>(schema: z.ZodType<T>, text: unknown): T {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch {
    throw damagedPart();
  }
}

function damagedPart(): AppFailure {
  return failure('storage', 'The record of a part or of the part list was damaged.', {
    reason: 'record-damaged',
    retry: 'after-fix',
  });
}

/** Combines the checksums of all parts into those of all bytes. Empty if the parts share no CRC. */
export function wholeChecksums(
  parts: readonly Pick<PartRecord, 'partNumber' | 'sizeBytes' | 'checksums'>[],
): PartChecksums {
  const sorted = parts.toSorted((left, right) => left.partNumber - right.partNumber);
  const found: { -readonly [Name in keyof PartChecksums]: string } = {};
  for (const name of checksumNames) {
    const pieces = sorted.map(({ sizeBytes, checksums }) => ({
      sizeBytes,
      checksum: checksums[name] ?? null,
    }));
    const whole = combineChecksums(name, pieces);
    if (whole !== null) found[name] = whole;
  }
  return found;
}
