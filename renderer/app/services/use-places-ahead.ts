import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefetchLikely, type FolderPlace, type ListNumber } from '../../features/objects/index.ts';
import { dropPlaceUnder } from '../../ui/drop/drop-place.ts';
import { mouseRestDetector, movingPointer } from '../../ui/resting-mouse.ts';
import { useStable } from '../../ui/use-stable.ts';
import { activeTab, otherPaneOf, type Navigation } from '../places/navigation.ts';

interface Ahead {
  readonly place: FolderPlace;
  readonly list: ListNumber;
}

function isSame(left: Ahead, right: Ahead): boolean {
  const { connectionId, bucket, folder } = left.place;
  return (
    left.list === right.list &&
    folder === right.place.folder &&
    bucket === right.place.bucket &&
    connectionId === right.place.connectionId
  );
}

function isInTree(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="tree"]') !== null;
}

/**
 * Prefetches the first page of the folder at which a resting mouse points, in the list, the path or the tree. A click then finds
 * the page in the cache.
 */
export function usePrefetchOnHover(navigation: Navigation): void {
  const queries = useQueryClient();
  const { aheadOf } = useStable({
    aheadOf: (target: EventTarget | null): Ahead | null => {
      const found = dropPlaceUnder(target);
      if (found === null) return null;
      const tab = activeTab(navigation);
      const isOther = found.element.closest('[data-pane]')?.getAttribute('data-pane') === 'other';
      const list = (isOther ? otherPaneOf(tab)?.id : undefined) ?? tab.activePane;
      return { place: { ...found.place, startsWith: '' }, list };
    },
  });
  useEffect(() => {
    const mouse = mouseRestDetector<Ahead>((ahead) => {
      prefetchLikely(queries, ahead);
    }, isSame);
    const pointer = movingPointer();
    /** True while a row of the tree is under the mouse at which the user has not pointed. */
    let isUnpointed = false;
    const look = ({ buttons, target }: PointerEvent): void =>
      mouse.over(buttons === 0 && !isUnpointed ? aheadOf(target) : null);
    const over = (event: PointerEvent): void => {
      // Touch and pen input has no hover.
      if (event.pointerType !== 'mouse') return;
      // The tree scrolls to the current folder and opens its branch, which moves other rows under a still mouse.
      isUnpointed = !pointer.hasMoved(event) && isInTree(event.target);
      look(event);
    };
    const moved = (event: PointerEvent): void => {
      if (event.pointerType !== 'mouse' || !pointer.hasMoved(event) || !isUnpointed) return;
      isUnpointed = false;
      look(event);
    };
    const out = (): void => mouse.over(null);
    document.addEventListener('pointerover', over, { passive: true });
    document.addEventListener('pointermove', moved, { passive: true });
    document.documentElement.addEventListener('pointerleave', out);
    return () => {
      document.removeEventListener('pointerover', over);
      document.removeEventListener('pointermove', moved);
      document.documentElement.removeEventListener('pointerleave', out);
      mouse.end();
    };
  }, [queries, aheadOf]);
}
