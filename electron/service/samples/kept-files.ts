import kept from './kept-files.json' with { type: 'json' };

/** A buoy on the sea: WebM, VP8, 4 seconds, 192 × 108. Source: build/scripts/sample-video.ts. */
export const film = Buffer.from(kept.film, 'base64');

/** The light on the outer bank, 320 × 200, in four formats. Source: build/scripts/sample-pictures.ts. */
export const lightJpeg = Buffer.from(kept.lightJpeg, 'base64');
export const lightWebp = Buffer.from(kept.lightWebp, 'base64');
export const lightAvif = Buffer.from(kept.lightAvif, 'base64');
export const lightHeic = Buffer.from(kept.lightHeic, 'base64');

/** Weather of four stations: an Arrow file of 240 rows in two batches. Source: build/scripts/sample-arrow.ts. */
export const stations = Buffer.from(kept.stations, 'base64');
