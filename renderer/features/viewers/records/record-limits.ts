/** Limit of text kept in memory for one file. The window says if there is more. */
export const maxTextBytes = 64 * 1024 * 1024;
/** Limit of a record, so that one endless line does not cause the whole file to be read. */
export const maxRecordBytes = 8 * 1024 * 1024;
