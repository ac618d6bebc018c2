import { lastSegment } from './paths.ts';

/** The kinds of files. Catalogues on disk store their index, so add new kinds at the end. */
export const fileKinds = [
  'file',
  'archive',
  'audio',
  'code',
  'document',
  'image',
  'log',
  'sheet',
  'video',
] as const;
export type FileKind = (typeof fileKinds)[number];

const extensions: Readonly<Record<Exclude<FileKind, 'file'>, string>> = {
  archive: 'zip gz tgz tar bz2 xz zst 7z rar jar war deb rpm dmg iso',
  audio: 'mp3 wav flac ogg m4a aac opus',
  code: 'json js mjs ts tsx jsx html css xml yaml yml toml py rb go rs java c h cpp sh sql ipynb',
  document: 'txt md pdf doc docx odt rtf tex epub',
  image: 'png jpg jpeg gif webp avif svg bmp tif tiff heic ico raw cr2 cr3 nef arw dng raf orf rw2 psd',
  log: 'log out err',
  sheet: 'csv tsv xls xlsx ods parquet arrow feather',
  video: 'mp4 mov mkv webm avi m4v mts mxf',
};

const kinds = new Map(
  Object.entries(extensions).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
);

/** Guesses the kind of a file from its extension. */
export function fileKind(name: string): FileKind {
  const dot = name.lastIndexOf('.');
  return (dot < 0 ? undefined : kinds.get(name.slice(dot + 1).toLowerCase())) ?? 'file';
}

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
