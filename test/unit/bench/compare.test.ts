import { expect, it } from 'vitest';
import { grownCosts, ratiosOf, ratioTable } from '../../bench/compare.ts';
import type { Figure } from '../../bench/report.ts';

const figure = (name: string, value: number): Figure => ({ name, value, unit: 'ms' });

it('comparing two commits yields the median ratio and spread of each figure that both commits have', () => {
  const ratios = ratiosOf([
    { here: [figure('start', 50), figure('new', 1)], there: [figure('start', 100)] },
    { here: [figure('start', 120)], there: [figure('start', 100)] },
    { here: [figure('start', 90)], there: [figure('start', 100)] },
  ]);
  expect(ratios).toEqual([{ name: 'start', unit: 'ms', ratio: 0.9, lowest: 0.5, highest: 1.2 }]);
  expect(ratioTable(ratios)).toBe('start 0.90 x  (0.50 to 1.20)');
});

it('a comparison of two commits leaves out figures that are not a number in any round', () => {
  expect(ratiosOf([{ here: [figure('a', Number.NaN)], there: [figure('a', 1)] }])).toEqual([]);
});

const ratio = (name: string, unit: string, median: number, lowest: number) => ({
  name,
  unit,
  ratio: median,
  lowest,
  highest: median,
});

it('only costs that grew in every round and by more than the limit are reported as grown', () => {
  const ratios = [
    ratio('slower', 'ms', 1.6, 1.2),
    ratio('larger', 'MiB', 1.6, 1.5),
    ratio('slower within the limit', 's', 1.5, 1.4),
    ratio('slower in some rounds', 's', 1.6, 0.9),
    ratio('more frames', 'frames', 1.6, 1.5),
    ratio('more keys per second', '/s', 1.6, 1.5),
  ];
  expect(grownCosts(ratios, 1.5).map(({ name }) => name)).toEqual(['slower', 'larger']);
});
