import { z } from 'zod';
import { inventoryReportSchema, inventorySummarySchema } from '../models/inventory.ts';
import { placeSchema } from '../models/objects.ts';
import { base } from './base.ts';

/** The location of a manifest.json: connection, bucket and key. */
const report = placeSchema.extend({ key: z.string().min(1) });

/**
 * Reports in which a service lists the content of its buckets (S3 Inventory). Cooper can read a report instead of listing the
 * bucket.
 */
export const inventory = {
  /**
   * Returns the reports of a configuration, newest first. `connectionId` and `bucket` name the bucket to which they are
   * delivered.
   */
  reports: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        sourceBucket: z.string().min(1),
        configurationId: z.string().min(1),
      }),
    )
    .output(z.array(inventoryReportSchema)),
  /** Describes a report. Throws `damaged`, reason `inventory-damaged`, for a wrong checksum or a file that is not a manifest. */
  look: base.input(report).output(inventorySummarySchema),
  /** Reads a report into the map of its bucket. `prefix` is the prefix that the report covers, or '' for the whole bucket. */
  open: base
    .input(report.extend({ prefix: z.string() }))
    .output(placeSchema.extend({ prefix: z.string(), mapId: z.string() })),
};
