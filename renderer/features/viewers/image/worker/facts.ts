import type { ImageFact } from './image-messages.ts';

/** exifr's options: the raw tags of camera and location, without maker notes and data of editing programs. */
export const factOptions = {
  tiff: true,
  exif: true,
  gps: true,
  xmp: false,
  icc: false,
  iptc: false,
  jfif: false,
  ihdr: false,
  makerNote: false,
  userComment: false,
  reviveValues: false,
};

const maxLetters = 200;
// Matches padding, and characters that could reorder or hide the text around them.
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const hiddenCharacters = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Returns the facts to show from the tags of an EXIF reader. Leaves out values of an unexpected type. */
export function factsOf(tags: Readonly<Record<string, unknown>>): readonly ImageFact[] {
  const facts: ImageFact[] = [];
  const add = (name: Extract<ImageFact, { text: string }>['name'], text: string | null): void => {
    if (text !== null) facts.push({ name, text });
  };
  add('taken', formatExifTime(tags['DateTimeOriginal']) ?? formatExifTime(tags['CreateDate']));
  add('camera', cameraOf(textOf(tags['Make']), textOf(tags['Model'])));
  add('lens', textOf(tags['LensModel']));
  const exposure = {
    seconds: positive(tags['ExposureTime']),
    aperture: positive(tags['FNumber']),
    iso: positive(tags['ISO']),
    focalLengthMm: positive(tags['FocalLength']),
  };
  if (Object.values(exposure).some((value) => value !== null)) facts.push({ name: 'exposure', ...exposure });
  const place = placeOf(tags);
  if (place !== null) facts.push(place);
  add('about', textOf(tags['ImageDescription']));
  add('author', textOf(tags['Artist']));
  add('copyright', textOf(tags['Copyright']));
  add('program', textOf(tags['Software']));
  return facts;
}

/** Returns the maker and the model, or only the model if it starts with the maker's name. */
function cameraOf(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return model ?? make;
  const [first = ''] = make.split(' ');
  return model.toLowerCase().startsWith(first.toLowerCase()) ? model : `${make} ${model}`;
}

/** Formats an EXIF time such as `2026:05:09 06:30:00`. Returns null for anything else. */
function formatExifTime(value: unknown): string | null {
  const text = textOf(value);
  const found = text === null ? null : /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d)(?::\d\d)?/.exec(text);
  if (found === null) return null;
  const [, year = '', month = '', day = '', time = ''] = found;
  return year === '0000' ? null : `${year}-${month}-${day} ${time}`;
}

function placeOf(tags: Readonly<Record<string, unknown>>): ImageFact | null {
  const { latitude, longitude } = tags;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return null;
  // Cameras without a position write zeros.
  if (latitude === 0 && longitude === 0) return null;
  const height = positive(tags['GPSAltitude']);
  const [below] = listOf(tags['GPSAltitudeRef']);
  const altitudeM = height === null || height > 20_000 ? null : below === 1 ? -height : height;
  return { name: 'place', latitude, longitude, altitudeM };
}

function listOf(value: unknown): readonly unknown[] {
  if (value instanceof Uint8Array) return [...value];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll(hiddenCharacters, ' ').trim();
  return text === '' ? null : text.slice(0, maxLetters).toWellFormed();
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}
