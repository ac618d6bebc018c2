import { memo, useEffect, useState } from 'react';
import type { WaitingLink } from '../../../shared/models/links.ts';
import { onLinkWaiting } from '../../rpc/app-events.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { sayFailure, sayingFailure } from '../../rpc/say-failure.ts';
import { dialogStore, defineDialog } from '../../ui/dialog/define-dialog.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { LinkTaker } from './link-taker.ts';
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
  const { open } = useStable({ open: onOpen });
  const [taker] = useState(() => createTaker(open));
  const isReady = useCoreStatus().kind === 'ready';
  useEffect(() => {
    if (!isReady || isAsking) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const ask = (): void => {
      if (isOver || timer !== null) return;
      timer = setTimeout(
        () => {
          timer = null;
          if (!isOver) sayingFailure(() => taker.takeWaiting());
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
  }, [isReady, isAsking, taker]);
  return <S3LinkQuestion onOpen={onOpen} onAddConnection={onAddConnection} />;
});

function createTaker(open: S3LinkMoves['onOpen']): LinkTaker {
  return new LinkTaker({
    take: () => rpc.s3Links.take(),
    placeOf: placeWithoutAsking,
    open: async (place) => {
      try {
        await open(place);
      } catch (thrown) {
        // Only shows the failure, since other links may wait.
        sayFailure(thrown);
      }
    },
    ask: questionStore.open,
    isAsking: () => questionStore.current() !== null,
  });
}

async function placeWithoutAsking(link: WaitingLink): Promise<LinkedPlace | null> {
  try {
    if ((await rpc.settings.get()).confirmLinks) return null;
    return placeWithoutQuestion(link, await rpc.connections.list());
  } catch {
    // Cooper asks the user after an error. The dialog shows problems with the connections.
    return null;
  }
}
