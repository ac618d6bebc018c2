import { describe, expect, test } from 'vitest';
import { stepsThatFit, stepsTo, type ShownSteps } from '../../../../../renderer/app/path/path-steps.ts';
import { folderPlace } from '../../../../../renderer/app/places/places.ts';

const words = {
  connection: 'Lab',
  computer: 'This computer',
  uploads: 'Stalled uploads',
  search: 'Search',
  localName: ({ name }: { readonly name: string }) => name,
};
const stepsOf = (folder: string) => stepsTo(folderPlace('c', 'photos', folder), words);
const namesOf = ({ start, hidden, end }: ShownSteps): readonly string[] =>
  [start, hidden, end].map((steps) => steps.map(({ name }) => name).join(' '));

describe('the steps of a path', () => {
  test('lead from the connection to the folder, each with its location', () => {
    const steps = stepsOf('2026/islands/');
    expect(steps.map(({ name }) => name)).toEqual(['Lab', 'photos', '2026', 'islands']);
    expect(steps.map(({ place }) => (place.kind === 'folder' ? place.folder : place.kind))).toEqual([
      'connection',
      '',
      '2026/',
      '2026/islands/',
    ]);
  });

  test('of a page about a folder end with the page', () => {
    const place = { kind: 'uploads', connectionId: 'c', bucket: 'photos', prefix: '2026/' } as const;
    expect(stepsTo(place, words).map(({ name }) => name)).toEqual(['Lab', 'photos/2026/', 'Stalled uploads']);
    expect(stepsTo({ ...place, bucket: null, prefix: '' }, words).map(({ name }) => name)).toEqual([
      'Lab',
      'Stalled uploads',
    ]);
  });

  test('on this computer lead to the folders above', () => {
    const trail = [
      { handle: '1', name: 'Home' },
      { handle: '2', name: 'music' },
    ];
    const steps = stepsTo({ kind: 'local', trail }, words);
    expect(steps.map(({ name }) => name)).toEqual(['This computer', 'Home', 'music']);
    expect(steps.map(({ place }) => (place.kind === 'local' ? place.trail.length : -1))).toEqual([0, 1, 2]);
  });

  test('are all shown if they fit or the width is unknown', () => {
    const steps = stepsOf('2026/islands/');
    expect(namesOf(stepsThatFit(steps, 1000))).toEqual(['Lab photos 2026 islands', '', '']);
    expect(stepsThatFit(steps, 0)).toEqual(stepsThatFit(steps, 1000));
  });

  test('of a long path keep the start and the end', () => {
    expect(namesOf(stepsThatFit(stepsOf('a/b/c/d/e/f/'), 1000))).toEqual(['Lab photos a', 'b c', 'd e f']);
  });

  test('are hidden from the outside in if they do not fit, but never the last', () => {
    const steps = stepsOf('2026/islands/');
    expect(namesOf(stepsThatFit(steps, 240))).toEqual(['', 'Lab photos', '2026 islands']);
    expect(namesOf(stepsThatFit(steps, 120))).toEqual(['', 'Lab photos 2026', 'islands']);
    expect(namesOf(stepsThatFit(steps, 10))).toEqual(['', 'Lab photos 2026', 'islands']);
    for (let widthPx = 1; widthPx < 1000; widthPx += 7) {
      const { start, hidden, end } = stepsThatFit(steps, widthPx);
      expect([...start, ...hidden, ...end]).toEqual(steps);
    }
  });

  test('are shown in any width if there is only one', () => {
    const steps = stepsTo({ kind: 'connection', connectionId: 'c' }, words);
    expect(namesOf(stepsThatFit(steps, 10))).toEqual(['Lab', '', '']);
    expect(stepsThatFit(stepsTo({ kind: 'start' }, words), 10)).toEqual({ start: [], hidden: [], end: [] });
  });
});
