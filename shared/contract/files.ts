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
import { base, rangeOf } from './base.ts';

const inFolder = z.object({ folderHandle: z.string() });
const entryName = z.string().min(1).max(1024);

export const files = {
  /** The folders a picker can start from: the home folder and mounted disks. */
  roots: base.output(z.array(localRootSchema)),
  list: base
    .input(
      inFolder.extend({
        ...rangeOf(5000),
        /** A text that the name contains, or '' for all names. */
        text: z.string(),
        /** Includes files and folders whose name begins with a dot. */
        showHidden: z.boolean().default(false),
      }),
    )
    .output(folderListingSchema),
  /** Creates a folder inside this folder. Throws `conflict` if the name is taken. */
  makeFolder: base.input(inFolder.extend({ name: entryName })).output(fileEntrySchema),
  /** Renames an entry of this folder. Throws `conflict` if the name is taken. */
  rename: base.input(inFolder.extend({ name: entryName, newName: entryName })).output(fileEntrySchema),
  /**
   * Moves entries of this folder to the system's trash, or deletes files and empty folders permanently. Stops at the first
   * failure. Throws `unsupported` if the host has no trash, `conflict` for a folder that is not empty.
   */
  remove: base
    .input(inFolder.extend({ names: z.array(entryName).min(1).max(10_000), isPermanent: z.boolean() }))
    .output(z.void()),
  /** Shows a file or folder in the system's file manager. */
  reveal: base.input(z.object({ handle: z.string() })).output(z.void()),
  /** Shows the system's dialog. Returns an empty list if the user closed it. Throws `unsupported` if the host has no dialogs. */
  pick: base
    .input(z.object({ kind: z.enum(['file', 'folder']), title: z.string().max(200), multiple: z.boolean() }))
    .output(z.array(fileEntrySchema)),
  /**
   * Writes a file to the location chosen in the system's save dialog. Resolves once the file is on disk. Throws `unsupported` if
   * the host has no dialogs, `access-denied` for the data folder.
   */
  save: base
    .input(z.object({ fileName: z.string().min(1).max(255), contentBase64: z.base64() }))
    .output(z.object({ isSaved: z.boolean() })),
  /** Returns the URL path to send a dropped file's bytes to, for a file whose local path is unknown. */
  receive: base.input(droppedFileSchema).output(dropTicketSchema),
  /** Like `receive`, for many dropped files in any number of batches. */
  receiveBatch: base.input(droppedBatchSchema).output(droppedBatchTicketSchema),
  /** Returns the handles of the dropped files and folders, once all batches have arrived. */
  droppedEntries: base.input(z.object({ dropHandle: z.string() })).output(z.array(z.string())),
  /** Deletes a received copy. If a job still sends from the copy, it is deleted once the job has ended. */
  discard: base.input(z.object({ handle: z.string() })).output(z.void()),
};
