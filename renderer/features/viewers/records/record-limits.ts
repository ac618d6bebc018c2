/** Limit of the text kept in memory for one file. The window shows a note if the file has more. */
export const maxTextBytes = 64 * 1024 * 1024;
/** Limit of a record. Without it, one endless line would cause the whole file to be read. */
export const maxRecordBytes = 8 * 1024 * 1024;
