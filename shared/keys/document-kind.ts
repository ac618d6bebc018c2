import { lastSegment } from './paths.ts';

/**
 * Kinds of files that a program shows and does not carry out. A list of what is allowed: whatever is not on it (programs, scripts,
 * shortcuts, desktop entries, pages with scripts, archives, and office files that may have macros: those of before 2007 too) is never handed to the system to open.
 */
const documentKinds = new Set(
  (
    'txt text md markdown rst csv tsv json jsonl yaml yml toml log tex srt vtt ' +
    'pdf epub rtf docx odt xlsx ods pptx odp ' +
    'png jpg jpeg gif webp bmp tif tiff heic avif psd xcf kra ' +
    'mp3 wav flac ogg oga opus m4a aac mp4 m4v mov mkv webm avi'
  ).split(' '),
);

/** Returns true if the name has an extension that may be opened in the system's program. */
export function isDocumentName(key: string): boolean {
  const name = lastSegment(key);
  const dot = name.lastIndexOf('.');
  return dot > 0 && !key.endsWith('/') && documentKinds.has(name.slice(dot + 1).toLowerCase());
}
