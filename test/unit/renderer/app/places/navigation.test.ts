import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activePane,
  activeTab,
  canGoBack,
  canGoForward,
  canGoUp,
  currentPlace,
  firstNavigation,
  navigate,
  otherPaneOf,
  paneOf,
  placeOf,
  type Navigation,
  type NavigationAction,
} from '../../../../../renderer/app/places/navigation.ts';
import {
  keptNavigationSchema,
  toKeptNavigation,
  restoreNavigation,
} from '../../../../../renderer/app/places/kept-navigation.ts';
import {
  computerPlace,
  folderPlace,
  placeAbove,
  isSameWindowPlace,
  startPlace,
  type WindowPlace,
} from '../../../../../renderer/app/places/places.ts';

const photos = folderPlace('c1', 'photos', '');
const summer = folderPlace('c1', 'photos', '2024/summer/');
const run = (...actions: readonly NavigationAction[]): Navigation =>
  actions.reduce(navigate, firstNavigation);
/** Returns the places and the width of each tab. */
const shown = ({ tabs }: Navigation) =>
  tabs.map(({ panes, leftPercent }) => ({
    places: panes.map(placeOf),
    leftPercent: panes.length === 2 ? leftPercent : null,
  }));
const go = (place: WindowPlace): NavigationAction => ({ kind: 'go', place });

describe('places', () => {
  it('split the text after the last slash off as the start of a name', () => {
    expect(folderPlace('c', 'b', 'photos/20')).toMatchObject({ folder: 'photos/', startsWith: '20' });
  });

  it('lead up from a name to its folder, its parents, the bucket and the connection', () => {
    expect(placeAbove(folderPlace('c1', 'photos', '2024/s'))).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(summer)).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(photos)).toEqual({ kind: 'connection', connectionId: 'c1' });
    expect(placeAbove(startPlace)).toBeNull();
  });
});

describe('places on this computer', () => {
  const home = { handle: 'h1', name: 'Home' };
  const pictures = { handle: 'h2', name: 'pictures' };
  const inPictures: WindowPlace = { kind: 'local', trail: [home, pictures] };

  it('lead up to the roots and no further', () => {
    const above = placeAbove(inPictures);
    expect(above).toEqual({ kind: 'local', trail: [home] });
    expect(above === null ? null : placeAbove(above)).toEqual(computerPlace);
    expect(placeAbove(computerPlace)).toBeNull();
  });

  it('are compared by handle, not by name', () => {
    const other: WindowPlace = { kind: 'local', trail: [home, { handle: 'h3', name: 'pictures' }] };
    expect(isSameWindowPlace(inPictures, other)).toBe(false);
    expect(
      isSameWindowPlace(inPictures, { kind: 'local', trail: [home, { ...pictures, name: 'Pictures' }] }),
    ).toBe(true);
  });

  it('stay when a connection is removed and are restored after a reload', () => {
    const pair = run(go(photos), { kind: 'split' }, go(inPictures));
    const known = navigate(pair, { kind: 'forget-connections', known: new Set() });
    expect(currentPlace(known)).toEqual(inPictures);
    const kept = keptNavigationSchema.parse(JSON.parse(JSON.stringify(toKeptNavigation(known))));
    expect(activeTab(restoreNavigation(kept)).panes.map(placeOf)).toEqual([startPlace, inPictures]);
  });
});

describe('tab navigation', () => {
  it('goes back and forward in the history', () => {
    const there = run(go(photos), go(summer));
    const back = navigate(there, { kind: 'back' });
    expect(currentPlace(back)).toEqual(photos);
    expect(canGoForward(activePane(back))).toBe(true);
    expect(currentPlace(navigate(back, { kind: 'forward' }))).toEqual(summer);
  });

  it('drops the forward history when it goes elsewhere', () => {
    const elsewhere = navigate(
      run(go(photos), go(summer), { kind: 'back' }),
      go(folderPlace('c1', 'logs', '')),
    );
    expect(canGoForward(activePane(elsewhere))).toBe(false);
    expect(currentPlace(navigate(elsewhere, { kind: 'back' }))).toEqual(photos);
  });

  it('cannot go back from the first place', () => {
    expect(canGoBack(activePane(run(go(photos))))).toBe(false);
  });

  it('adds no entry for the same place or while a name is typed', () => {
    expect(navigate(run(go(photos)), go(photos))).toEqual(run(go(photos)));
    const typed = run(go(photos), { kind: 'replace', place: folderPlace('c1', 'photos', '20') });
    expect(activePane(typed).history).toEqual([folderPlace('c1', 'photos', '20')]);
  });

  it('opens a tab next to the current one, in the background if requested', () => {
    const opened = run(go(photos), { kind: 'open-tab', place: summer, inBackground: true });
    expect(currentPlace(opened)).toEqual(photos);
    expect(opened.tabs).toHaveLength(2);
    expect(currentPlace(navigate(opened, { kind: 'next-tab', step: 1 }))).toEqual(summer);
  });

  it('activates the neighbour when a tab is closed, and always keeps one', () => {
    const two = run(go(photos), { kind: 'open-tab', place: summer });
    expect(currentPlace(navigate(two, { kind: 'close-tab', id: two.activeId }))).toEqual(photos);
    const last = navigate(run(go(photos)), { kind: 'close-tab', id: 1 });
    expect(currentPlace(last)).toEqual(startPlace);
  });

  it('removes the places of a removed connection', () => {
    const mixed = run(go(photos), go(folderPlace('c2', 'other', '')), go(summer));
    const known = navigate(mixed, { kind: 'forget-connections', known: new Set(['c1']) });
    expect(activePane(known).history).toEqual([photos, summer]);
    expect(currentPlace(known)).toEqual(summer);
    const none = navigate(known, { kind: 'forget-connections', known: new Set() });
    expect(currentPlace(none)).toEqual(startPlace);
    expect(canGoUp(activePane(none))).toBe(false);
  });

  it('opens the same folder in a second pane and activates it, or closes the other pane', () => {
    const pair = run(go(photos), { kind: 'split' }, go(summer));
    expect(activeTab(pair).panes.map(placeOf)).toEqual([photos, summer]);
    expect(currentPlace(pair)).toEqual(summer);
    const alone = navigate(pair, { kind: 'split' });
    expect(activeTab(alone).panes.map(placeOf)).toEqual([summer]);
  });

  it('keeps a separate history for each pane', () => {
    const pair = run(go(photos), { kind: 'split' }, go(summer), { kind: 'other-pane' });
    expect(currentPlace(pair)).toEqual(photos);
    expect(canGoBack(activePane(pair))).toBe(false);
    const back = navigate(pair, { kind: 'back', pane: 2 });
    expect(activeTab(back).panes.map(placeOf)).toEqual([photos, photos]);
    expect(canGoForward(paneOf(activeTab(back), 2))).toBe(true);
  });

  it('keeps the right pane when the left one is closed, and opens a new one beside it', () => {
    const pair = run(go(photos), { kind: 'split' }, go(summer));
    const alone = navigate(pair, { kind: 'close-pane', pane: 1 });
    expect(paneOf(activeTab(alone))).toBe(paneOf(activeTab(pair), 2));
    expect(otherPaneOf(activeTab(alone))).toBeNull();
    const again = navigate(alone, { kind: 'split' });
    expect(activeTab(again).panes.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('does not close the last pane', () => {
    const alone = run(go(photos));
    expect(navigate(alone, { kind: 'close-pane', pane: 1 })).toBe(alone);
  });

  it('opens the searched folder in a second pane beside a search', () => {
    const uploads: WindowPlace = { kind: 'uploads', connectionId: 'c1', bucket: 'photos', prefix: '2024/' };
    const pair = run(go(uploads), { kind: 'split' });
    expect(activeTab(pair).panes.map(placeOf)).toEqual([uploads, folderPlace('c1', 'photos', '2024/')]);
  });

  it('reads tabs stored by a version without panes', () => {
    const kept = keptNavigationSchema.parse({ tabs: [{ history: [photos, summer], at: 1 }], active: 0 });
    const { panes } = activeTab(restoreNavigation(kept));
    expect(panes).toEqual([{ id: 1, history: [photos, summer], at: 1 }]);
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
      { kind: 'split' },
      { kind: 'other-pane' },
      { kind: 'close-pane', pane: 1 },
      { kind: 'close-pane', pane: 2 },
      { kind: 'activate-pane', pane: 1 },
      { kind: 'go', place: summer, pane: 2 },
      { kind: 'resize-panes', leftPercent: 3 },
      { kind: 'forget-connections', known: new Set(['c2']) },
    ),
  );

  it('keeps its invariants after any sequence of actions', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const navigation = run(...actions);
        const ids = navigation.tabs.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toContain(navigation.activeId);
        for (const tab of navigation.tabs) {
          const panes = tab.panes.map(({ id }) => id);
          expect(panes).toContain(tab.activePane);
          expect(new Set(panes).size).toBe(panes.length);
          for (const pane of tab.panes) expect(pane.history[pane.at]).toBeDefined();
          expect(tab.leftPercent).toBeGreaterThanOrEqual(20);
        }
      }),
    );
  });

  it('restores the same places after a reload', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const navigation = run(...actions);
        const kept = keptNavigationSchema.parse(JSON.parse(JSON.stringify(toKeptNavigation(navigation))));
        const restored = restoreNavigation(kept);
        expect(currentPlace(restored)).toEqual(currentPlace(navigation));
        expect(shown(restored)).toEqual(shown(navigation));
      }),
    );
  });
});
