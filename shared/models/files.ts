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

export type FileEntry = Readonly<z.infer<typeof fileEntrySchema>>;
export type FolderListing = Readonly<z.infer<typeof folderListingSchema>>;
