import { useEffect, useSyncExternalStore } from 'react';
import type { TFunction } from 'i18next';
import { dropPlaceUnder } from '../../ui/drop-place.ts';
import { usesCommandKey } from '../../ui/shortcuts.ts';
import { rpc } from '../../rpc/client.ts';
import { dragData, randomTicket } from './drag-data.ts';
import { isSameBucket, thingsText, type Chosen, type OperationPlace } from './chosen.ts';
import { movesByDrag, verdictOf, type Transfer } from './transfer-plan.ts';
import classes from './operations.module.css';

/** Rows on their way, and what letting go of them now would do. */
export interface Drag {
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  /** null: nothing would happen here. */
  readonly over: { readonly to: OperationPlace; readonly isMove: boolean } | null;
}

/** Marks what is dragged as rows of this window. */
const dragType = 'application/x-cooper-rows';
/** A tab that something is held above for so long comes to the front. */
const tabDelayMs = 600;

let drag: Drag | null = null;
const listeners = new Set<() => void>();

function set(next: Drag | null): void {
  drag = next;
  for (const listener of listeners) listener();
}

export function useDrag(): Drag | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => drag,
  );
}

/** Rows begin to be dragged; other programs get their addresses, and one object as a file. */
export function beginDrag(
  data: DataTransfer,
  from: OperationPlace,
  rows: readonly Chosen[],
  t: TFunction,
): void {
  data.setData(dragType, '');
  const { types, offer } = dragData(from, rows, window.location.href, randomTicket);
  for (const [type, text] of Object.entries(types)) data.setData(type, text);
  if (offer !== null) {
    const { connectionId, bucket } = from;
    // Where it fails the address gives nothing, which whoever drops it sees as a download that failed.
    rpc.objects.offer({ connectionId, bucket, ...offer }).catch(() => undefined);
  }
  data.effectAllowed = 'copyMove';
  const picture = document.createElement('div');
  picture.className = classes.picture ?? '';
  picture.textContent = thingsText(rows, t);
  document.body.append(picture);
  data.setDragImage(picture, -14, 8);
  // The browser has taken its picture by the next frame.
  requestAnimationFrame(() => picture.remove());
  set({ from, rows, over: null });
}

interface DragTargets {
  readonly onDrop: (transfer: Transfer) => void;
  readonly onHoldTab: (tabId: number) => void;
}

/** Follows what is dragged over the window. Used once, by the application; its functions stay the same. */
export function useDragTargets({ onDrop, onHoldTab }: DragTargets): void {
  useEffect(() => {
    let lit: HTMLElement | null = null;
    let tab: { readonly id: string; readonly timer: ReturnType<typeof setTimeout> } | null = null;
    const light = (element: HTMLElement | null): void => {
      if (element === lit) return;
      lit?.removeAttribute('data-drop-over');
      element?.setAttribute('data-drop-over', '');
      lit = element;
    };
    const hold = (target: EventTarget | null): void => {
      const id = target instanceof Element ? tabIdOf(target) : null;
      if (tab?.id === id) return;
      clearTimeout(tab?.timer);
      tab = id === null ? null : { id, timer: setTimeout(onHoldTab, tabDelayMs, Number(id)) };
    };
    const end = (): void => {
      light(null);
      hold(null);
      if (drag !== null) set(null);
    };
    const over = (event: DragEvent): void => {
      if (drag === null) return;
      hold(event.target);
      const found = dropPlaceUnder(event.target);
      const transfer = found === null ? null : transferTo(found.place, event);
      const isGood = transfer !== null && verdictOf(transfer).kind !== 'refused';
      light(isGood ? (found?.element ?? null) : null);
      const next = isGood ? { to: transfer.to, isMove: transfer.isMove } : null;
      if (!isSameAim(drag.over, next)) set({ ...drag, over: next });
      if (event.dataTransfer !== null)
        event.dataTransfer.dropEffect = next === null ? 'none' : next.isMove ? 'move' : 'copy';
      event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (drag === null) return;
      event.preventDefault();
      const found = dropPlaceUnder(event.target);
      const transfer = found === null ? null : transferTo(found.place, event);
      end();
      if (transfer !== null && verdictOf(transfer).kind !== 'refused') onDrop(transfer);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    window.addEventListener('dragend', end);
    return () => {
      end();
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
      window.removeEventListener('dragend', end);
    };
  }, [onDrop, onHoldTab]);
}

function transferTo(to: OperationPlace, event: DragEvent): Transfer | null {
  if (drag === null) return null;
  const { from, rows } = drag;
  return { from, rows, to, isMove: movesByDrag(event, isSameBucket(from, to), usesCommandKey()) };
}

function isSameAim(a: Drag['over'], b: Drag['over']): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.isMove === b.isMove &&
    a.to.connectionId === b.to.connectionId &&
    a.to.bucket === b.to.bucket &&
    a.to.folder === b.to.folder
  );
}

/** Tabs carry their number in the attribute `data-drop-tab`. */
function tabIdOf(target: Element): string | null {
  return target.closest<HTMLElement>('[data-drop-tab]')?.dataset['dropTab'] ?? null;
}
