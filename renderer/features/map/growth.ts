import type { GrowthPoint } from '../../../shared/models/map.ts';

/** Returns the points of a polyline as `x,y` pairs. Time increases to the right, and size upwards from 0. */
export function growthLine(points: readonly GrowthPoint[], widePx: number, highPx: number): string {
  const times = points.map(({ takenAt }) => Date.parse(takenAt));
  const first = Math.min(...times);
  const span = Math.max(1, Math.max(...times) - first);
  const maxBytes = Math.max(1, ...points.map(({ sizeBytes }) => sizeBytes));
  return points
    .map(({ sizeBytes }, at) => {
      const x = (((times[at] ?? first) - first) / span) * widePx;
      const y = highPx - (sizeBytes / maxBytes) * highPx;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
