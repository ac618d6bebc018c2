import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  footerOffset,
  longestTrackPx,
  rowWindow,
  scrollToShow,
  trackHeight,
  type Track,
} from '../../../../../renderer/ui/table/virtual-scroll.ts';

const trackOf = (rowCount: number): Track => ({ rowCount, rowHeightPx: 30, viewportPx: 900, footerPx: 36 });
const anyTrack = fc.integer({ min: 0, max: 3_000_000 }).map(trackOf);
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('virtual scrolling', () => {
  it('renders the visible rows at their offset', () => {
    expect(rowWindow(trackOf(1000), 3000, 10)).toEqual({ first: 90, end: 141, offsetPx: 2700 });
  });

  it("never exceeds the browser's maximum element height", () => {
    fc.assert(
      fc.property(anyTrack, (track) => {
        expect(trackHeight(track)).toBeLessThanOrEqual(longestTrackPx);
      }),
    );
  });

  it('never renders more than 120 rows or rows beyond the end', () => {
    fc.assert(
      fc.property(anyTrack, share, fc.integer({ min: 100, max: 6000 }), (track, at, viewportPx) => {
        const tall = { ...track, viewportPx };
        const top = at * Math.max(0, trackHeight(tall) - viewportPx);
        const { first, end } = rowWindow(tall, top, 10);
        expect(end - first).toBeLessThanOrEqual(120);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(track.rowCount);
      }),
    );
  });

  it('covers the viewport with rows at every scroll position', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 3_000_000 }).map(trackOf), share, (track, at) => {
        const top = at * (trackHeight(track) - track.viewportPx);
        const { first, end, offsetPx } = rowWindow(track, top, 10);
        expect(offsetPx).toBeLessThanOrEqual(top + 0.001);
        const bottom = offsetPx + (end - first) * track.rowHeightPx;
        expect(bottom).toBeGreaterThanOrEqual(
          Math.min(top + track.viewportPx, footerOffset(track, top)) - 0.001,
        );
      }),
    );
  });

  it('reaches the last row and the footer at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 3_000_000 }).map(trackOf), (track) => {
        const top = trackHeight(track) - track.viewportPx;
        expect(rowWindow(track, top, 10).end).toBe(track.rowCount);
        expect(footerOffset(track, top) + track.footerPx).toBeCloseTo(trackHeight(track), 3);
      }),
    );
  });

  it('scrolls to a hidden row, and not at all if the row is visible', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 3_000_000 }).map(trackOf), share, share, (track, from, to) => {
        const top = from * (trackHeight(track) - track.viewportPx);
        const position = Math.min(track.rowCount - 1, Math.floor(to * track.rowCount));
        const shown = scrollToShow(track, top, position);
        const { first, end } = rowWindow(track, shown, 0);
        expect(position).toBeGreaterThanOrEqual(first);
        expect(position).toBeLessThan(end);
        expect(scrollToShow(track, shown, position)).toBeCloseTo(shown, 3);
      }),
    );
  });
});
