import { lastSegment } from './paths.ts';

/**
 * Extensions of files that programs show but do not execute. This is an allow list. Other files are never passed to the system
 * to open: programs, scripts, shortcuts, desktop entries, pages with scripts, archives, and office files that may have macros
 * (including those from before 2007).
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
