import { z } from 'zod/mini';

/** A local file or folder. The handle is opaque: paths stay in the core. */
export const fileEntrySchema = z.object({
  handle: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.nullable(z.number()),
  modifiedAt: z.nullable(z.string()),
});

/** A top-level folder: the home folder, a mounted disk, the whole disk, or the files of the sample uploads. */
export const localRootSchema = z.extend(fileEntrySchema, {
  role: z.enum(['home', 'mount', 'disk', 'samples']),
});

export const folderListingSchema = z.object({
  /** The folders from the root down to this one, for the path shown above the list. */
  trail: z.array(z.object({ handle: z.string(), name: z.string() })),
  entries: z.array(fileEntrySchema),
  total: z.int(),
  /** The number of omitted entries: links that leave the visible folders or form a loop, and unreadable names. */
  leftOut: z.int(),
});

/** A dropped file as the page sees it, without its path. */
export const droppedFileSchema = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(1024)),
  sizeBytes: z.int().check(z.gte(0)),
  modifiedAt: z.nullable(z.iso.datetime()),
});

export const dropTicketSchema = z.object({
  /** The path that accepts the bytes, once: `/bytes/<ticket>`. */
  path: z.string(),
  /** The handle of the copy. */
  handle: z.string(),
});

/** The path segments from the dropped item down to the file's name. */
const pathSchema = z
  .array(z.string().check(z.minLength(1), z.maxLength(255)))
  .check(z.minLength(1), z.maxLength(100));

/** The files in one drop: those of a folder, or several files. Their bytes are sent one after another in one body. */
export const droppedBatchSchema = z.object({
  /** Null for the first batch of a drop. */
  dropHandle: z.nullable(z.string()),
  files: z
    .array(
      z.object({
        path: pathSchema,
        sizeBytes: z.int().check(z.gte(0)),
        modifiedAt: z.nullable(z.iso.datetime()),
      }),
    )
    .check(z.maxLength(1000)),
  emptyFolders: z.array(pathSchema).check(z.maxLength(1000)),
});

export const droppedBatchTicketSchema = z.object({
  /** The path that accepts the bytes, once: `/bytes/<ticket>`. */
  path: z.string(),
  /** Identifies the drop in later batches. */
  dropHandle: z.string(),
});

export type DroppedBatch = Readonly<z.infer<typeof droppedBatchSchema>>;
export type DroppedBatchTicket = Readonly<z.infer<typeof droppedBatchTicketSchema>>;
export type FileEntry = Readonly<z.infer<typeof fileEntrySchema>>;
export type LocalRoot = Readonly<z.infer<typeof localRootSchema>>;
export type FolderListing = Readonly<z.infer<typeof folderListingSchema>>;
export type DroppedFile = Readonly<z.infer<typeof droppedFileSchema>>;
export type DropTicket = Readonly<z.infer<typeof dropTicketSchema>>;
