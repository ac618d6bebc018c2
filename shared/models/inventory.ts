import { z } from 'zod';

export const inventoryFormats = ['CSV', 'Parquet', 'ORC'] as const;

/** A report of S3 Inventory. */
export const inventoryReportSchema = z.object({
  /** The key of its manifest.json. */
  key: z.string(),
  /** The time when the service began the report, as ISO 8601. */
  takenAt: z.string(),
});

/** The contents of a report's manifest.json, after its checksum was verified. */
export const inventorySummarySchema = z.object({
  sourceBucket: z.string(),
  takenAt: z.string(),
  format: z.enum(inventoryFormats),
  files: z.int(),
  fileBytes: z.number(),
  /** The columns, as the service names them. */
  fields: z.array(z.string()),
  /** True if the report also lists older versions and delete markers. */
  hasVersions: z.boolean(),
  configurationId: z.string().nullable(),
  /** The key prefix that the inventory's configuration covers, or null if the configuration could not be read. */
  prefix: z.string().nullable(),
  /** The reason why Cooper cannot read the report, or null if it can. */
  obstacle: z.enum(['orc', 'no-key', 'no-size', 'no-latest']).nullable(),
});

/** The progress of reading a report. */
export const reportProgressSchema = z.object({
  files: z.int(),
  filesRead: z.int(),
  olderVersions: z.int(),
  olderBytes: z.number(),
  deleteMarkers: z.int(),
});

export type InventoryFormat = (typeof inventoryFormats)[number];
export type InventoryReport = Readonly<z.infer<typeof inventoryReportSchema>>;
export type InventorySummary = Readonly<z.infer<typeof inventorySummarySchema>>;
export type ReportProgress = Readonly<z.infer<typeof reportProgressSchema>>;
