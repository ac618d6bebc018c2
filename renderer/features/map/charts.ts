import type { MapSum, GrowthPoint } from '../../../shared/models/map.ts';

const maxBars = 24;

/** Returns one bar per month in order, including empty months. If these are too many, a bar covers one or several years. */
export function histogramOf(sums: readonly MapSum[]): readonly MapSum[] {
  const known = sums.filter(({ name }) => name !== '');
  const months = known.map(({ name }) => Number(name.slice(0, 4)) * 12 + Number(name.slice(5)) - 1);
  if (months.length === 0) return [];
  const first = Math.min(...months);
  const count = Math.max(...months) - first + 1;
  if (count <= maxBars) {
    return Array.from({ length: count }, (_, at) => {
      const name = monthName(first + at);
      return known.find((sum) => sum.name === name) ?? { name, objects: 0, sizeBytes: 0 };
    });
  }
  const firstYear = Math.floor(first / 12);
  const years = Math.floor((first + count - 1) / 12) - firstYear + 1;
  const step = Math.ceil(years / maxBars);
  return Array.from({ length: Math.ceil(years / step) }, (_, at) => {
    const from = firstYear + at * step;
    const inside = known.filter(
      ({ name }) => Math.floor((Number(name.slice(0, 4)) - firstYear) / step) === at,
    );
    return {
      name: String(from),
      objects: inside.reduce((sum, { objects }) => sum + objects, 0),
      sizeBytes: inside.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
  });
}

function monthName(month: number): string {
  return `${String(Math.floor(month / 12))}-${String((month % 12) + 1).padStart(2, '0')}`;
}

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
