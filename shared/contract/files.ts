import { z } from 'zod';
import {
  droppedBatchSchema,
  droppedBatchTicketSchema,
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
  /** Room for many dropped files at once, in as many batches as the page likes; `unsupported` as above. */
  receiveBatch: base.input(droppedBatchSchema).output(droppedBatchTicketSchema),
  /** Handles of what a drop consists of, once all its batches have come. */
  droppedEntries: base.input(z.object({ dropHandle: z.string() })).output(z.array(z.string())),
  /** The window needs this copy no more; a job that sends from it keeps it until it ends. */
  discard: base.input(z.object({ handle: z.string() })).output(z.void()),
};
