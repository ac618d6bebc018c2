/** Limit of text kept in memory for one file. The window says if there is more. */
export const maxTextBytes = 64 * 1024 * 1024;
/** Limit of a record: a line without an end is not read to the end of its file. */
export const maxRecordBytes = 8 * 1024 * 1024;
