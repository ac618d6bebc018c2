import { memo, useEffect } from 'react';
import type { WaitingLink } from '../../../shared/models/links.ts';
import { onLinkWaiting } from '../../rpc/app-events.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { dialogStore, defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { placeWithoutQuestion, type LinkedPlace, type S3LinkMoves } from './linked-place.ts';

const questionStore = dialogStore<WaitingLink>();

/** The question about a link, loaded with the first one. */
const { Mounted: S3LinkQuestion } = defineDialog<WaitingLink, S3LinkMoves>(
  async () => (await import('./s3-link-dialog.tsx')).S3LinkDialog,
  questionStore,
);

/** Milliseconds before a window without focus takes a link, so that the focused window takes it first. */
const unfocusedDelayMs = 400;

/** Takes links from other programs, one at a time, and asks before opening them. Mounted once, by the application. */
export const S3LinkDialogs = memo(function S3LinkDialogs({ onOpen, onAddConnection }: S3LinkMoves) {
  const isAsking = questionStore.useOpened(({ request }) => request !== null);
  const isReady = useCoreStatus().kind === 'ready';
  useEffect(() => {
    if (!isReady || isAsking) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const take = async (): Promise<void> => {
      for (let opened = await rpc.s3Links.take(); opened !== null; opened = await rpc.s3Links.take()) {
        const place = await placeWithoutAsking(opened);
        if (place === null) {
          questionStore.open(opened);
          return;
        }
        await onOpen(place);
      }
    };
    const ask = (): void => {
      if (isOver || timer !== null) return;
      timer = setTimeout(
        () => {
          timer = null;
          if (!isOver) sayingFailure(take);
        },
        document.hasFocus() ? 0 : unfocusedDelayMs,
      );
    };
    const stop = onLinkWaiting(ask);
    ask();
    return () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
      stop();
    };
  }, [isReady, isAsking, onOpen]);
  return <S3LinkQuestion onOpen={onOpen} onAddConnection={onAddConnection} />;
});

async function placeWithoutAsking(link: WaitingLink): Promise<LinkedPlace | null> {
  try {
    if ((await rpc.settings.get()).confirmLinks) return null;
    return placeWithoutQuestion(link, await rpc.connections.list());
  } catch {
    // Cooper asks the user after an error. The dialog shows problems with the connections.
    return null;
  }
}
