import { lazy, memo, Suspense, useEffect, useState } from 'react';
import type { WaitingLink } from '../../../shared/models/s3-link.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { onLinkWaiting } from '../../rpc/app-events.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { LinkedPlace } from './linked-place.ts';
import { placeWithoutQuestion } from './unasked.ts';

const S3LinkDialog = lazy(async () => ({ default: (await import('./s3-link-dialog.tsx')).S3LinkDialog }));

interface S3LinkDialogsProps {
  readonly onOpen: (place: LinkedPlace) => Promise<void>;
  readonly onAddConnection: () => void;
}

/** Milliseconds before a window without focus takes a link, so that the focused window takes it first. */
const politeMs = 400;

/** Takes links from other programs, one at a time, and asks before opening them. Mounted once, by the application. */
export const S3LinkDialogs = memo(function S3LinkDialogs({ onOpen, onAddConnection }: S3LinkDialogsProps) {
  const [link, setLink] = useState<WaitingLink | null>(null);
  const isReady = useCoreStatus().kind === 'ready';
  useEffect(() => {
    if (!isReady || link !== null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const take = async (): Promise<void> => {
      for (let opened = await rpc.s3Links.take(); opened !== null; opened = await rpc.s3Links.take()) {
        const place = await placeWithoutAsking(opened);
        if (place === null) {
          setLink(opened);
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
        document.hasFocus() ? 0 : politeMs,
      );
    };
    const stop = onLinkWaiting(ask);
    ask();
    return () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
      stop();
    };
  }, [isReady, link, onOpen]);
  if (link === null) return null;
  return (
    <Suspense fallback={null}>
      <S3LinkDialog
        link={link}
        onClose={() => setLink(null)}
        onOpen={(place) => {
          setLink(null);
          sayingFailure(() => onOpen(place));
        }}
        onAddConnection={() => {
          setLink(null);
          onAddConnection();
        }}
      />
    </Suspense>
  );
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
