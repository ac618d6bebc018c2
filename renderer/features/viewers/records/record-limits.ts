/** As much text is kept in memory for one file; what follows is not shown, and the window says so. */
export const mostTextBytes = 64_000_000;
/** No record is longer: a line without an end is not read to the end of its file. */
export const mostRecordBytes = 8 * 1024 * 1024;
