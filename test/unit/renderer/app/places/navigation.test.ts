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
  keptNavigationSchema,
  keptOf,
  navigate,
  otherPaneOf,
  paneOf,
  placeOf,
  restoredFrom,
  type Navigation,
  type NavigationAction,
} from '../../../../../renderer/app/places/navigation.ts';
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
/** The content and width of the tabs. */
const shown = ({ tabs }: Navigation) =>
  tabs.map(({ panes, leftPercent }) => ({
    places: panes.map(placeOf),
    leftPercent: panes.length === 2 ? leftPercent : null,
  }));
const go = (place: WindowPlace): NavigationAction => ({ kind: 'go', place });

describe('places', () => {
  it('takes the text after the last slash as the start of a name', () => {
    expect(folderPlace('c', 'b', 'photos/20')).toMatchObject({ folder: 'photos/', startsWith: '20' });
  });

  it('goes up from a name to its folder, from a folder to the one above, from a bucket to its connection', () => {
    expect(placeAbove(folderPlace('c1', 'photos', '2024/s'))).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(summer)).toEqual(folderPlace('c1', 'photos', '2024/'));
    expect(placeAbove(photos)).toEqual({ kind: 'connection', connectionId: 'c1' });
    expect(placeAbove(startPlace)).toBeNull();
  });
});

describe('folders of this computer', () => {
  const home = { handle: 'h1', name: 'Home' };
  const pictures = { handle: 'h2', name: 'pictures' };
  const inPictures: WindowPlace = { kind: 'local', trail: [home, pictures] };

  it('lead up to where folders begin, and no further', () => {
    const above = placeAbove(inPictures);
    expect(above).toEqual({ kind: 'local', trail: [home] });
    expect(above === null ? null : placeAbove(above)).toEqual(computerPlace);
    expect(placeAbove(computerPlace)).toBeNull();
  });

  it('are told apart by handles, not by names', () => {
    const other: WindowPlace = { kind: 'local', trail: [home, { handle: 'h3', name: 'pictures' }] };
    expect(isSameWindowPlace(inPictures, other)).toBe(false);
    expect(
      isSameWindowPlace(inPictures, { kind: 'local', trail: [home, { ...pictures, name: 'Pictures' }] }),
    ).toBe(true);
  });

  it('belong to no connection: they stay when one is removed, and are found again after a reload', () => {
    const pair = run(go(photos), { kind: 'split' }, go(inPictures));
    const known = navigate(pair, { kind: 'forget-connections', known: new Set() });
    expect(currentPlace(known)).toEqual(inPictures);
    const kept = keptNavigationSchema.parse(JSON.parse(JSON.stringify(keptOf(known))));
    expect(activeTab(restoredFrom(kept)).panes.map(placeOf)).toEqual([startPlace, inPictures]);
  });
});

describe('tabs and their histories', () => {
  it('goes back and forward where it was', () => {
    const there = run(go(photos), go(summer));
    const back = navigate(there, { kind: 'back' });
    expect(currentPlace(back)).toEqual(photos);
    expect(canGoForward(activePane(back))).toBe(true);
    expect(currentPlace(navigate(back, { kind: 'forward' }))).toEqual(summer);
  });

  it('forgets the forward history when it goes elsewhere', () => {
    const elsewhere = navigate(
      run(go(photos), go(summer), { kind: 'back' }),
      go(folderPlace('c1', 'logs', '')),
    );
    expect(canGoForward(activePane(elsewhere))).toBe(false);
    expect(currentPlace(navigate(elsewhere, { kind: 'back' }))).toEqual(photos);
  });

  it('has nothing to go back to on the welcome page', () => {
    expect(canGoBack(activePane(run(go(photos))))).toBe(false);
  });

  it('takes no step when it is there already, and none while a name is typed', () => {
    expect(navigate(run(go(photos)), go(photos))).toEqual(run(go(photos)));
    const typed = run(go(photos), { kind: 'replace', place: folderPlace('c1', 'photos', '20') });
    expect(activePane(typed).history).toEqual([folderPlace('c1', 'photos', '20')]);
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
    expect(activePane(known).history).toEqual([photos, summer]);
    expect(currentPlace(known)).toEqual(summer);
    const none = navigate(known, { kind: 'forget-connections', known: new Set() });
    expect(currentPlace(none)).toEqual(startPlace);
    expect(canGoUp(activePane(none))).toBe(false);
  });

  it('opens a second pane on the same folder, which is then the active one; asked again it closes the other', () => {
    const pair = run(go(photos), { kind: 'split' }, go(summer));
    expect(activeTab(pair).panes.map(placeOf)).toEqual([photos, summer]);
    expect(currentPlace(pair)).toEqual(summer);
    const alone = navigate(pair, { kind: 'split' });
    expect(activeTab(alone).panes.map(placeOf)).toEqual([summer]);
  });

  it('gives each pane a history of its own', () => {
    const pair = run(go(photos), { kind: 'split' }, go(summer), { kind: 'other-pane' });
    expect(currentPlace(pair)).toEqual(photos);
    expect(canGoBack(activePane(pair))).toBe(false);
    const back = navigate(pair, { kind: 'back', pane: 2 });
    expect(activeTab(back).panes.map(placeOf)).toEqual([photos, photos]);
    expect(canGoForward(paneOf(activeTab(back), 2))).toBe(true);
  });

  it('keeps what the other pane shows when the left one is closed, and opens a new one to its right', () => {
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

  it('begins a second pane beside a search in the folder that is searched', () => {
    const uploads: WindowPlace = { kind: 'uploads', connectionId: 'c1', bucket: 'photos', prefix: '2024/' };
    const pair = run(go(uploads), { kind: 'split' });
    expect(activeTab(pair).panes.map(placeOf)).toEqual([uploads, folderPlace('c1', 'photos', '2024/')]);
  });

  it('reads tabs as they were kept when a tab was one place', () => {
    const kept = keptNavigationSchema.parse({ tabs: [{ history: [photos, summer], at: 1 }], active: 0 });
    const { panes } = activeTab(restoredFrom(kept));
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

  it('is whole after anything: one active tab, unique ids, a place in each history', () => {
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

  it('finds the same places again after a reload', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const navigation = run(...actions);
        const kept = keptNavigationSchema.parse(JSON.parse(JSON.stringify(keptOf(navigation))));
        const restored = restoredFrom(kept);
        expect(currentPlace(restored)).toEqual(currentPlace(navigation));
        expect(shown(restored)).toEqual(shown(navigation));
      }),
    );
  });
});
