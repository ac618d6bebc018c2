import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { prefetchLikely, type FolderPlace, type ListNumber } from '../../features/objects/index.ts';
import { dropPlaceUnder } from '../../ui/drop/drop-place.ts';
import { mouseRestDetector } from '../../ui/resting-mouse.ts';
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

/**
 * Prefetches the first page of the folder under a resting mouse, in the list, the path or the tree. A click then finds the page
 * in the cache.
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
    const over = (event: PointerEvent): void => {
      // Touch and pen input has no hover.
      if (event.pointerType === 'mouse') mouse.over(event.buttons === 0 ? aheadOf(event.target) : null);
    };
    const out = (): void => {
      mouse.over(null);
    };
    document.addEventListener('pointerover', over, { passive: true });
    document.documentElement.addEventListener('pointerleave', out);
    return () => {
      document.removeEventListener('pointerover', over);
      document.documentElement.removeEventListener('pointerleave', out);
      mouse.end();
    };
  }, [queries, aheadOf]);
}
