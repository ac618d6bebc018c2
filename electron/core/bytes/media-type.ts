/** The media types that a browser engine plays. Everything else is sent as plain bytes. */
const mediaTypes = [
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/x-matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/webm',
  'audio/wav',
  'audio/flac',
] as const;

export type MediaType = (typeof mediaTypes)[number];

const aliases: Readonly<Record<string, MediaType>> = {
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'audio/ogg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
};

const byExtension: Readonly<Record<string, MediaType>> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  weba: 'audio/webm',
  wav: 'audio/wav',
  flac: 'audio/flac',
};

/** Returns the type under which an object may be played, from its content type and name; null if it is no recording. */
export function mediaTypeOf(key: string, contentType: string | null): MediaType | null {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const known = mediaTypes.find((mediaType) => mediaType === type);
  if (known !== undefined) return known;
  if (Object.hasOwn(aliases, type)) return aliases[type] ?? null;
  const extension = key.slice(key.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}
