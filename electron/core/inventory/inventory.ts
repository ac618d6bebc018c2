import type { InventoryReport, InventorySummary } from '../../../shared/models/inventory.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { AppFailure } from '../../../shared/errors.ts';
import type { Maps } from '../catalogues/maps.ts';
import type { Ports } from '../ports.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { childNamed, exactText, rootOf } from '../s3/xml/document.ts';
import type { WalkPlace } from '../walks/walk-source.ts';
import { readReport } from './report.ts';
import { columnsOf, configurationIdOf, hasVersions, obstacleOf } from './manifest/report-manifest.ts';
import { createReportThread } from './report-thread.ts';
import { ReportWalk } from './report-walk.ts';

/** The location of a manifest.json, with its connection. */
export interface ReportPlace extends Place {
  readonly key: string;
}

export interface InventoryDeps {
  readonly ports: Pick<Ports, 'clock' | 'logger'>;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly maps: Pick<Maps, 'read'>;
}

/** Reads inventory reports, in which a service lists the objects of its buckets, into maps and catalogues. */
export interface Inventory {
  /** Returns the reports of a configuration, newest first. `bucket` is the bucket to which they are delivered. */
  reports(
    request: Place & {
      readonly prefix: string;
      readonly sourceBucket: string;
      readonly configurationId: string;
    },
    signal?: AbortSignal,
  ): Promise<InventoryReport[]>;
  look(place: ReportPlace, signal?: AbortSignal): Promise<InventorySummary>;
  /**
   * Starts to read a report into the map of the source bucket, which grows meanwhile. `prefix` is the common prefix of the
   * report's keys.
   */
  open(
    place: ReportPlace & { readonly prefix: string },
    signal?: AbortSignal,
  ): Promise<WalkPlace & { readonly mapId: string }>;
  close(): Promise<void>;
}

const maxReports = 500;
const reportName = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})Z\/$/;

export function createInventory({ ports, client, maps }: InventoryDeps): Inventory {
  const thread = createReportThread();
  return {
    reports: async ({ connectionId, bucket, prefix, sourceBucket, configurationId }, signal) => {
      const s3 = await client(connectionId);
      const folder = `${prefix === '' ? '' : `${prefix}/`}${sourceBucket}/${configurationId}/`;
      const found: InventoryReport[] = [];
      const pages = objectPages(s3, { bucket, prefix: folder, delimiter: '/' }, { signal });
      for await (const { commonPrefixes } of pages)
        for (const commonPrefix of commonPrefixes) {
          const [, day, hour, minute] = reportName.exec(commonPrefix.slice(folder.length)) ?? [];
          if (day !== undefined)
            found.push({
              key: `${commonPrefix}manifest.json`,
              takenAt: `${day}T${hour ?? ''}:${minute ?? ''}:00.000Z`,
            });
        }
      return found.toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1)).slice(0, maxReports);
    },

    look: async ({ connectionId, bucket, key }, signal) => {
      const s3 = await client(connectionId);
      const manifest = await readReport(s3, { bucket, key }, { signal });
      const { sourceBucket, takenAt, format, files, fields } = manifest;
      const configurationId = configurationIdOf(key, sourceBucket);
      return {
        sourceBucket,
        takenAt,
        format,
        files: files.length,
        fileBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        fields: [...fields],
        hasVersions: hasVersions(manifest),
        configurationId,
        prefix:
          configurationId === null ? null : await listedPrefix(s3, sourceBucket, configurationId, signal),
        obstacle: obstacleOf(manifest),
      };
    },

    open: async ({ connectionId, bucket, key, prefix }, signal) => {
      const s3 = await client(connectionId);
      const ref = { bucket, key };
      const manifest = await readReport(s3, ref, { signal });
      // Throws for unusable reports before any data is read.
      columnsOf(manifest);
      // A prefix may end within a name. The map then shows the folder around it and counts as incomplete.
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const place = { connectionId, bucket: manifest.sourceBucket, prefix: folder };
      const mapId = await maps.read(place, {
        takenAt: manifest.takenAt,
        isWhole: folder === prefix,
        walk: (where, sink) =>
          new ReportWalk(
            { place: where, listedPrefix: prefix, ref, manifest },
            { ...ports, clientOf: client, thread },
            sink,
          ),
      });
      return { ...place, mapId };
    },

    close: async () => await thread.close(),
  };
}

/** Returns the prefix that a configuration lists; null if it no longer exists or cannot be read. */
async function listedPrefix(
  s3: S3Client,
  bucket: string,
  configurationId: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const { text } = await s3.getBucketDocument(
      { bucket, query: 'inventory', operation: 'BucketInventoryConfiguration', id: configurationId },
      { signal },
    );
    const root = rootOf(text);
    if (!root?.name.endsWith('InventoryConfiguration')) return null;
    return exactText(childNamed(root, 'Filter'), 'Prefix');
  } catch (thrown) {
    // The report itself can be read, and the user can type its prefix.
    if (!(thrown instanceof AppFailure) || thrown.error.code === 'cancelled') throw thrown;
    return null;
  }
}
