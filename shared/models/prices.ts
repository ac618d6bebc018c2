import { z } from 'zod';

/** The prices for one storage class. Unknown figures are absent. `Gb` is the size unit of the list. */
export const figureNames = [
  'storagePerGbMonth',
  /** The minimum billed size. Smaller objects are billed as if they had this many bytes. */
  'smallestBytes',
  /** The minimum storage duration: objects deleted or changed earlier are billed for the remaining days. */
  'smallestDays',
  /**
   * Metadata that the service stores with each object in an archive class. Part is billed at the price of this class, part at the
   * price of STANDARD.
   */
  'overheadBytes',
  'overheadStandardBytes',
  /** PUT, COPY, POST and uploaded parts, billed by the target class. */
  'writePer1000',
  'listPer1000',
  'readPer1000',
  /** The price for reading objects of a class that bills each read. */
  'retrievalPerGb',
  'standardRestorePerGb',
  'standardRestorePer1000',
  'bulkRestorePerGb',
  'bulkRestorePer1000',
  'expeditedRestorePerGb',
  'expeditedRestorePer1000',
] as const;

/**
 * Figures for the whole account, independent of the storage class. Unknown figures are absent. `Gb` is the list's own size unit.
 */
export const accountFigures = [
  /** Charged each month regardless of the stored amount. */
  'monthlyFee',
  /** Included each month at no extra charge. */
  'includedStorageGb',
  'includedTrafficGb',
  /** Included requests to objects of class STANDARD. */
  'includedWrites',
  'includedReads',
  /** S3 Batch Operations. */
  'batchPerJob',
  'batchPerMillion',
] as const;

export const gbUnits = ['GB', 'GiB'] as const;

const figureSchema = z.object({
  value: z.number(),
  /** When the value was read from its source: `2026-11-24`. */
  date: z.string().max(10),
  /** The address of the page with the value, or '' if the user entered it. */
  source: z.string().max(500),
  /** True if the figure was never compared with its source. */
  isUnchecked: z.boolean().optional(),
  /** Lower prices for larger amounts, ascending. `value` applies up to the first `aboveGb`. Absent for a single price. */
  steps: z
    .array(z.object({ aboveGb: z.number(), value: z.number() }))
    .max(20)
    .optional(),
});

const classPricesSchema = z.object({
  storageClass: z.string().max(100),
  figures: z.partialRecord(z.enum(figureNames), figureSchema),
});

/**
 * A service's prices. The schema accepts nonsensical values, so that a form can show the problems that `checkPriceList`
 * (shared/pricing) finds.
 */
export const priceListSchema = z.object({
  name: z.string().max(200),
  /** The ISO 4217 code. */
  currency: z.string().max(3),
  unit: z.enum(gbUnits),
  /** Traffic from the service to the internet. */
  trafficPerGb: figureSchema.nullable(),
  /** Absent if unknown. */
  account: z.partialRecord(z.enum(accountFigures), figureSchema).optional(),
  classes: z.array(classPricesSchema).max(64),
});

/** `example`: the sample buckets cost nothing, so their estimates use the prices of a real service. */
const priceOrigins = ['own', 'shipped', 'example', 'none'] as const;

export const connectionPricesSchema = z.object({
  origin: z.enum(priceOrigins),
  /** Null if `origin` is `none`. */
  list: priceListSchema.nullable(),
  /** The list that applies once the connection's own list is removed, or null. */
  shipped: priceListSchema.nullable(),
});

/** The totals for objects with the same class and month, which are billed alike. */
export const holdingSchema = z.object({
  /** The storage class, or STANDARD if the service reports none. */
  storageClass: z.string(),
  /** The month of the last change, such as `2026-01`, or '' if unknown. */
  month: z.string(),
  objects: z.int(),
  sizeBytes: z.number(),
  /** The bytes after applying the minimum billed size. Never less than `sizeBytes`. */
  billedBytes: z.number(),
});

/** The minimum billed size of a class. */
export const smallestSizeSchema = z.object({ storageClass: z.string().max(100), bytes: z.number().min(0) });

export type FigureName = (typeof figureNames)[number];
export type AccountFigure = (typeof accountFigures)[number];
export type GbUnit = (typeof gbUnits)[number];
export type Figure = Readonly<z.infer<typeof figureSchema>>;
export type PriceList = Readonly<z.infer<typeof priceListSchema>>;
export type ConnectionPrices = Readonly<z.infer<typeof connectionPricesSchema>>;
export type Holding = Readonly<z.infer<typeof holdingSchema>>;
export type SmallestSize = Readonly<z.infer<typeof smallestSizeSchema>>;
