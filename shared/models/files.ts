import { z } from 'zod';

/** A local file or folder. The handle is opaque: paths stay in the core. */
export const fileEntrySchema = z.object({
  handle: z.string(),
  name: z.string(),
  kind: z.enum(['file', 'folder']),
  sizeBytes: z.number().nullable(),
  modifiedAt: z.string().nullable(),
});

export const folderListingSchema = z.object({
  /** From the root down to this folder, for the path shown above the list. */
  trail: z.array(z.object({ handle: z.string(), name: z.string() })),
  entries: z.array(fileEntrySchema),
  total: z.int(),
});

/** What a page knows of a file that was dropped on it: never where it lies. */
export const droppedFileSchema = z.object({
  name: z.string().min(1).max(1024),
  sizeBytes: z.int().min(0),
  modifiedAt: z.iso.datetime().nullable(),
});

export const dropTicketSchema = z.object({
  /** Where the page puts the bytes, once: `/bytes/<ticket>`. */
  path: z.string(),
  /** Names the copy from then on. */
  handle: z.string(),
});

/** Files of a dropped folder, or of many that were dropped together; their bytes follow each other in one body. */
export const droppedBatchSchema = z.object({
  /** null: the first batch of a drop. */
  dropHandle: z.string().nullable(),
  files: z
    .array(
      z.object({
        /** From what was dropped on; the last is the file's own name. */
        path: z.array(z.string().min(1).max(255)).min(1).max(100),
        sizeBytes: z.int().min(0),
        modifiedAt: z.iso.datetime().nullable(),
      }),
    )
    .max(1000),
  /** Folders with nothing in them. */
  emptyFolders: z.array(z.array(z.string().min(1).max(255)).min(1).max(100)).max(1000),
});

export const droppedBatchTicketSchema = z.object({
  /** Where the page puts the bytes, once: `/bytes/<ticket>`. */
  path: z.string(),
  /** Names the drop from then on. */
  dropHandle: z.string(),
});

export type DroppedBatch = Readonly<z.infer<typeof droppedBatchSchema>>;
export type DroppedBatchTicket = Readonly<z.infer<typeof droppedBatchTicketSchema>>;
export type FileEntry = Readonly<z.infer<typeof fileEntrySchema>>;
export type FolderListing = Readonly<z.infer<typeof folderListingSchema>>;
export type DroppedFile = Readonly<z.infer<typeof droppedFileSchema>>;
export type DropTicket = Readonly<z.infer<typeof dropTicketSchema>>;
