/**
 * The arithmetic of a list whose rows all have one height. Browsers cap the height of an element (Firefox at some
 * 17.9 million pixels), so a longer list is drawn on a shorter track and the scroll position is scaled. A library
 * that measures rows would redo its table of all rows with each page; here a page costs the same at any length.
 */
export interface Track {
  readonly rowCount: number;
  readonly rowHeightPx: number;
  readonly viewportPx: number;
  /** Space for the footer, below the last row. */
  readonly footerPx: number;
}

export const longestTrackPx = 15_000_000;

function fullHeight(track: Track): number {
  return track.rowCount * track.rowHeightPx + track.footerPx;
}

/** Returns the height of the scrolled element. */
export function trackHeight(track: Track): number {
  return Math.min(fullHeight(track), longestTrackPx);
}

/** Returns how many pixels of the list correspond to one pixel of the track. */
function scaleOf(track: Track): number {
  const full = fullHeight(track);
  if (full <= longestTrackPx) return 1;
  return (full - track.viewportPx) / (longestTrackPx - track.viewportPx);
}

export interface RowWindow {
  readonly first: number;
  /** The position after the last row. */
  readonly end: number;
  /** Position of the first row on the track. */
  readonly offsetPx: number;
}

/** Maximum number of row elements. On an even taller screen, only the rows nearest to the top are rendered. */
export const maxRows = 116;

/** Returns the rows to render at a scroll position. */
export function rowWindow(track: Track, scrollTopPx: number, overscanRows: number): RowWindow {
  const { rowCount, rowHeightPx, viewportPx } = track;
  const scrollTop = Math.max(0, scrollTopPx);
  const listTop = scrollTop * scaleOf(track);
  const firstVisible = Math.min(rowCount, Math.floor(listTop / rowHeightPx));
  const visible = Math.ceil(viewportPx / rowHeightPx) + 1;
  const first = Math.max(0, firstVisible - overscanRows);
  const end = Math.min(rowCount, firstVisible + visible + overscanRows, first + maxRows);
  return { first, end, offsetPx: scrollTop + (first * rowHeightPx - listTop) };
}

/** Returns the line at the top of the visible part. */
export function lineAt(track: Track, scrollTopPx: number): number {
  const { rowCount, rowHeightPx } = track;
  const line = Math.floor((Math.max(0, scrollTopPx) * scaleOf(track)) / rowHeightPx);
  return Math.max(0, Math.min(rowCount - 1, line));
}

/** Returns the scroll position at which a line is the first visible line. */
export function scrollToLine(track: Track, line: number): number {
  return (line * track.rowHeightPx) / scaleOf(track);
}

/** Returns the position of the footer on the track. */
export function footerOffset(track: Track, scrollTopPx: number): number {
  return scrollTopPx + (track.rowCount * track.rowHeightPx - scrollTopPx * scaleOf(track));
}

/** Returns the scroll position at which a row is visible, or the current position if the row is already visible. */
export function scrollToShow(track: Track, scrollTopPx: number, position: number): number {
  const { rowHeightPx, viewportPx } = track;
  const scale = scaleOf(track);
  const listTop = scrollTopPx * scale;
  const rowTop = position * rowHeightPx;
  if (rowTop < listTop) return rowTop / scale;
  const rowEnd = rowTop + rowHeightPx;
  if (rowEnd > listTop + viewportPx) return (rowEnd - viewportPx) / scale;
  return scrollTopPx;
}
