import { expect, test } from 'vitest';
import {
  folderPlace,
  placeAbove,
  isSameWindowPlace,
  searchPlace,
  uploadsPlace,
  type SearchWindowPlace,
} from '../../../../renderer/app/places/places.ts';
import {
  walksOf,
  activeTab,
  firstNavigation,
  navigate,
  paneOf,
  placeOf,
  type Navigation,
} from '../../../../renderer/app/places/navigation.ts';

const folder = folderPlace('c', 'b', 'p/');
function search(id: string, walkId: string | null): SearchWindowPlace {
  const place = searchPlace(folder, id);
  if (place === null) throw new Error('There is a bucket.');
  return { ...place, walkId };
}

test('a search starts in the open folder and leads up to it', () => {
  const place = search('1', null);
  expect(place).toMatchObject({ connectionId: 'c', bucket: 'b', prefix: 'p/' });
  expect(placeAbove(place)).toEqual(folder);
  expect(uploadsPlace(place, null)).toMatchObject({ kind: 'uploads', bucket: 'b', prefix: 'p/' });
  expect(searchPlace(place, '2')).toBe(place);
  expect(searchPlace({ kind: 'start' }, '1')).toBeNull();
  expect(isSameWindowPlace(search('1', null), search('2', null))).toBe(false);
});

test('search results are kept while a tab needs them', () => {
  const steps: readonly ((now: Navigation) => Navigation)[] = [
    (now) => navigate(now, { kind: 'go', place: search('1', null) }),
    (now) => navigate(now, { kind: 'replace', place: search('1', 'w1') }),
    (now) => navigate(now, { kind: 'go', place: folder }),
    (now) => navigate(now, { kind: 'back' }),
    (now) => navigate(now, { kind: 'replace', place: search('1', 'w2') }),
    (now) => navigate(now, { kind: 'close-tab', id: now.activeId }),
  ];
  let now = firstNavigation;
  const kept = steps.map((step) => {
    now = step(now);
    return [...walksOf(now)];
  });
  expect(kept).toEqual([[], ['w1'], ['w1'], ['w1'], ['w2'], []]);
});

test('a search that has not begun can be widened to the whole bucket', () => {
  const inFolder = search('1', null);
  const opened = navigate(firstNavigation, { kind: 'go', place: inFolder });
  const now = navigate(opened, { kind: 'replace', place: { ...inFolder, prefix: '' } });
  expect(placeOf(paneOf(activeTab(now)))).toEqual({ ...inFolder, prefix: '' });
});
