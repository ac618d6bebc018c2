import { z } from 'zod';
import {
  droppedFileSchema,
  dropTicketSchema,
  fileEntrySchema,
  folderListingSchema,
} from '../models/files.ts';
import { base } from './base.ts';

export const files = {
  /** Where the picker may begin: the home folder and what is mounted. */
  roots: base.output(z.array(fileEntrySchema)),
  list: base
    .input(
      z.object({
        folderHandle: z.string(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(1000),
        /** Text within the name; '' for all. */
        text: z.string(),
      }),
    )
    .output(folderListingSchema),
  /** The system's own dialog; an empty list when it was closed, `unsupported` where the host has none. */
  pick: base
    .input(z.object({ kind: z.enum(['file', 'folder']), title: z.string().max(200), multiple: z.boolean() }))
    .output(z.array(fileEntrySchema)),
  /** A file that was dropped on a page: room for its bytes. `unsupported` where the host takes it by its path. */
  receive: base.input(droppedFileSchema).output(dropTicketSchema),
  /** The window needs this copy no more; a job that sends from it keeps it until it ends. */
  discard: base.input(z.object({ handle: z.string() })).output(z.void()),
};
