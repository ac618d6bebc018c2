import { z } from 'zod';
import {
  droppedBatchSchema,
  droppedBatchTicketSchema,
  droppedFileSchema,
  dropTicketSchema,
  fileEntrySchema,
  folderListingSchema,
  localRootSchema,
} from '../models/files.ts';
import { base } from './base.ts';

export const files = {
  /** The folders a picker can start from: the home folder and mounted disks. */
  roots: base.output(z.array(localRootSchema)),
  list: base
    .input(
      z.object({
        folderHandle: z.string(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(5000),
        /** Text within the name; '' for all. */
        text: z.string(),
        /** Files and folders whose name begins with a dot, too. */
        showHidden: z.boolean().default(false),
      }),
    )
    .output(folderListingSchema),
  /** A new folder in this one; `conflict` where the name is taken. */
  makeFolder: base
    .input(z.object({ folderHandle: z.string(), name: z.string().min(1).max(1024) }))
    .output(fileEntrySchema),
  /** Shows a file or folder in the system's file manager. */
  reveal: base.input(z.object({ handle: z.string() })).output(z.void()),
  /** The system's own dialog; an empty list when it was closed, `unsupported` where the host has none. */
  pick: base
    .input(z.object({ kind: z.enum(['file', 'folder']), title: z.string().max(200), multiple: z.boolean() }))
    .output(z.array(fileEntrySchema)),
  /**
   * Writes a file where the system's save dialog says; it is on the disk when this resolves. `unsupported` where the host
   * has no dialogs, `access-denied` for the data folder.
   */
  save: base
    .input(z.object({ fileName: z.string().min(1).max(255), contentBase64: z.base64() }))
    .output(z.object({ isSaved: z.boolean() })),
  /** A file that was dropped on a page: a place for its bytes. `unsupported` where the host takes it by its path. */
  receive: base.input(droppedFileSchema).output(dropTicketSchema),
  /** The same for many dropped files, in any number of batches; `unsupported` as above. */
  receiveBatch: base.input(droppedBatchSchema).output(droppedBatchTicketSchema),
  /** Handles of what a drop consists of, once all its batches have come. */
  droppedEntries: base.input(z.object({ dropHandle: z.string() })).output(z.array(z.string())),
  /** The window needs this copy no more; a job that sends from it keeps it until it ends. */
  discard: base.input(z.object({ handle: z.string() })).output(z.void()),
};
