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

export type FileEntry = Readonly<z.infer<typeof fileEntrySchema>>;
export type FolderListing = Readonly<z.infer<typeof folderListingSchema>>;
export type DroppedFile = Readonly<z.infer<typeof droppedFileSchema>>;
export type DropTicket = Readonly<z.infer<typeof dropTicketSchema>>;
