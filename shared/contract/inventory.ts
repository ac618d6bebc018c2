import { z } from 'zod';
import { inventoryReportSchema, inventorySummarySchema } from '../models/inventory.ts';
import { placeSchema } from '../models/objects.ts';
import { base } from './base.ts';

/** A manifest.json: of which connection, in which bucket, under which key. */
const report = placeSchema.extend({ key: z.string().min(1) });

/** Reports that a service makes of its buckets (S3 Inventory), in place of a listing. */
export const inventory = {
  /** The reports of a configuration, the newest first. The place is where they are delivered. */
  reports: base
    .input(
      placeSchema.extend({
        prefix: z.string(),
        sourceBucket: z.string().min(1),
        configurationId: z.string().min(1),
      }),
    )
    .output(z.array(inventoryReportSchema)),
  /** Describes a report. `damaged`, reason `inventory-damaged`: the checksum does not match, or the file is not a manifest. */
  look: base.input(report).output(inventorySummarySchema),
  /** Reads a report into the map of its bucket. `prefix`: what the report lists, '' for all of the bucket. */
  open: base
    .input(report.extend({ prefix: z.string() }))
    .output(placeSchema.extend({ prefix: z.string(), surveyId: z.string() })),
};
