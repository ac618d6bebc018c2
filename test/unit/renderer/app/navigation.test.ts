import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activeTab,
  canGoBack,
  canGoForward,
  canGoUp,
  currentPlace,
  firstNavigation,
  keptNavigationSchema,
  keptOf,
  navigate,
  restoredFrom,
  type Navigation,
  type NavigationAction,
} from '../../../../renderer/app/navigation.ts';
import { folderPlace, placeAbove, startPlace, type WindowPlace } from '../../../../renderer/app/places.ts';

const photos = folderPlace('c1', 'photos', '');
const summer = folderPlace('c1', 'photos', '2024/summer/');
const run = (...actions: readonly NavigationAction[]): Navigation =>
  actions.reduce(navigate, firstNavigation);
const go = (place: WindowPlace): NavigationAction => ({ kind: 'go', place });

describe('places', () => {
  it('takes what stands after the last slash for the start of a name', () => {
    expect(folderPlace('c', 'b', 'photos/20')).toMatchObject({ folder: 'photos/', startsWith: '20' });
  });

  it('goes up from a name to its folder, from a folder to the one above, from a bucket to its connection', () => {
    expect(placeAbove(folderPlace('c1', 'photos', '2024/s'))).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(summer)).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(photos)).toEqual({ kind: 'connection', connectionId: 'c1' });
    expect(placeAbove(startPlace)).toBeNull();
  });
});

describe('tabs and their histories', () => {
  it('goes back and forward where it was', () => {
    const there = run(go(photos), go(summer));
    const back = navigate(there, { kind: 'back' });
    expect(currentPlace(back)).toEqual(photos);
    expect(canGoForward(back)).toBe(true);
    expect(currentPlace(navigate(back, { kind: 'forward' }))).toEqual(summer);
  });

  it('forgets what lay ahead when it goes elsewhere', () => {
    const elsewhere = navigate(
      run(go(photos), go(summer), { kind: 'back' }),
      go(folderPlace('c1', 'logs', '')),
    );
    expect(canGoForward(elsewhere)).toBe(false);
    expect(currentPlace(navigate(elsewhere, { kind: 'back' }))).toEqual(photos);
  });

  it('has nothing to go back to on the welcome page', () => {
    expect(canGoBack(run(go(photos)))).toBe(false);
  });

  it('takes no step when it is there already, and none while a name is typed', () => {
    expect(navigate(run(go(photos)), go(photos))).toEqual(run(go(photos)));
    const typed = run(go(photos), { kind: 'replace', place: folderPlace('c1', 'photos', '20') });
    expect(activeTab(typed).history).toEqual([folderPlace('c1', 'photos', '20')]);
  });

  it('opens a tab beside the present one, in the background when asked', () => {
    const opened = run(go(photos), { kind: 'open-tab', place: summer, inBackground: true });
    expect(currentPlace(opened)).toEqual(photos);
    expect(opened.tabs).toHaveLength(2);
    expect(currentPlace(navigate(opened, { kind: 'next-tab', step: 1 }))).toEqual(summer);
  });

  it('goes to the neighbour when a tab is closed, and never has none', () => {
    const two = run(go(photos), { kind: 'open-tab', place: summer });
    expect(currentPlace(navigate(two, { kind: 'close-tab', id: two.activeId }))).toEqual(photos);
    const last = navigate(run(go(photos)), { kind: 'close-tab', id: 1 });
    expect(currentPlace(last)).toEqual(startPlace);
  });

  it('leaves the places of a connection that was removed', () => {
    const mixed = run(go(photos), go(folderPlace('c2', 'other', '')), go(summer));
    const known = navigate(mixed, { kind: 'forget-connections', known: new Set(['c1']) });
    expect(activeTab(known).history).toEqual([photos, summer]);
    expect(currentPlace(known)).toEqual(summer);
    const none = navigate(known, { kind: 'forget-connections', known: new Set() });
    expect(currentPlace(none)).toEqual(startPlace);
    expect(canGoUp(none)).toBe(false);
  });

  const place = fc.constantFrom<WindowPlace>(
    startPlace,
    photos,
    summer,
    { kind: 'connection', connectionId: 'c1' },
    { kind: 'uploads', connectionId: 'c2', bucket: null, prefix: '' },
  );
  const action = fc.oneof<fc.Arbitrary<NavigationAction>[]>(
    place.map((where) => ({ kind: 'go', place: where })),
    place.map((where) => ({ kind: 'replace', place: where })),
    place.map((where) => ({ kind: 'open-tab', place: where })),
    fc.integer({ min: 0, max: 6 }).map((id) => ({ kind: 'close-tab', id })),
    fc.integer({ min: 0, max: 6 }).map((id) => ({ kind: 'activate', id })),
    fc.constantFrom<NavigationAction>(
      { kind: 'back' },
      { kind: 'forward' },
      { kind: 'up' },
      { kind: 'next-tab', step: 1 },
      { kind: 'forget-connections', known: new Set(['c2']) },
    ),
  );

  it('is whole after anything: one active tab, unique ids, a place in each history', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const navigation = run(...actions);
        const ids = navigation.tabs.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toContain(navigation.activeId);
        for (const tab of navigation.tabs) expect(tab.history[tab.at]).toBeDefined();
      }),
    );
  });

  it('finds the same places again after a reload', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const navigation = run(...actions);
        const kept = keptNavigationSchema.parse(JSON.parse(JSON.stringify(keptOf(navigation))));
        const restored = restoredFrom(kept);
        expect(currentPlace(restored)).toEqual(currentPlace(navigation));
        expect(restored.tabs.map((tab) => tab.history[tab.at])).toEqual(
          navigation.tabs.map((tab) => tab.history[tab.at]),
        );
      }),
    );
  });
});
