import { Text } from '@mantine/core';
import { FileVideo, ListMusic } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { ViewerLoading, ViewerFailed, ViewerFrame, ViewerMessage } from '../frame/frame.tsx';
import { useWhole } from '../frame/viewer-hooks.ts';
import type { MediaAddress, ViewerProps } from '../frame/viewer.ts';
import classes from '../pictures.module.css';
import { mediaElementFor, playlistHeadBytes, isPlaylist } from './media-kind.ts';

/** Limit for content without an address, such as an archive entry. Such content stays in memory while it plays. */
const maxHeldBytes = 64 * 1024 * 1024;

/**
 * Plays sound or video. The player executes nothing and fetches only this object's bytes. Playlists are not played, since they
 * name other addresses.
 */
export function MediaView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const { data: head, error, refetch } = useWhole(file.source, playlistHeadBytes);
  const media = file.object?.media ?? null;
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (head === undefined) return <ViewerLoading />;
  if (isPlaylist(head))
    return (
      <ViewerMessage
        icon={ListMusic}
        title={t('viewers.media.playlist')}
        body={t('viewers.media.playlistBody')}
      />
    );
  if (media !== null) return <Streamed media={media} name={file.name} />;
  if (file.source.sizeBytes > maxHeldBytes)
    return (
      <ViewerMessage
        icon={FileVideo}
        title={t('viewers.none.too-large')}
        body={t('viewers.tooLargeFixedBody', { limit: formatBytes(maxHeldBytes) })}
      />
    );
  return <Buffered file={file} />;
}

/** Plays sound or video that the browser reads by ranges. */
function Streamed({ media, name }: { readonly media: MediaAddress; readonly name: string }) {
  const [address, setAddress] = useState(() => media.now());
  const [error, setError] = useState<AppError | null>(null);
  // True from the renewal of a ticket until playback succeeds. A failure in between is not caused by an expired ticket.
  const isRenewed = useRef(false);
  const resumeAt = useRef(0);

  const fail = (player: HTMLMediaElement, giveUp: () => void): void => {
    if (isRenewed.current) {
      giveUp();
      return;
    }
    isRenewed.current = true;
    resumeAt.current = player.currentTime;
    media.renew().then(
      (renewed) => {
        // The player does not request the same address twice, so nothing is left to try.
        if (renewed === address) giveUp();
        else setAddress(renewed);
        return null;
      },
      (thrown: unknown) => setError(appErrorOf(thrown)),
    );
  };
  const load = useCallback(
    (player: HTMLMediaElement) => {
      player.src = address;
      return undefined;
    },
    [address],
  );
  if (error !== null) return <ViewerFailed error={error} />;
  return (
    <Player
      name={name}
      load={load}
      onFail={fail}
      onReady={(player) => {
        if (resumeAt.current > 0) player.currentTime = resumeAt.current;
        resumeAt.current = 0;
      }}
      onProgress={() => {
        isRenewed.current = false;
      }}
    />
  );
}

function Buffered({ file }: ViewerProps) {
  const { data, error, refetch } = useWhole(file.source);
  const loadBuffered = useCallback(
    (player: HTMLMediaElement) => {
      if (data === undefined) return undefined;
      const address = URL.createObjectURL(new Blob([data]));
      player.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [data],
  );
  if (error !== null) return <ViewerFailed error={appErrorOf(error)} onRetry={refetch} />;
  if (data === undefined) return <ViewerLoading />;
  return <Player name={file.name} load={loadBuffered} />;
}

interface PlayerProps {
  readonly name: string;
  /** Gives the player its content. Returns a function that releases the content. */
  readonly load: (player: HTMLMediaElement) => (() => void) | undefined;
  /** Called if the player fails, with a function that gives up. Without it, a failure is final. */
  readonly onFail?: (player: HTMLMediaElement, giveUp: () => void) => void;
  readonly onReady?: (player: HTMLMediaElement) => void;
  readonly onProgress?: () => void;
}

function Player({ name, load, onFail, onReady, onProgress }: PlayerProps) {
  const { t } = useTranslation();
  const [picture, setPicture] = useState<{ readonly width: number; readonly height: number } | null>(null);
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const [isUnplayable, setUnplayable] = useState(false);
  const kind = mediaElementFor(name);
  const failed = useEffectEvent((player: HTMLMediaElement) => {
    const giveUp = (): void => setUnplayable(true);
    if (onFail === undefined) giveUp();
    else onFail(player, giveUp);
  });
  // Added before loading, since React attaches listeners too late for an error that occurs immediately.
  useEffect(() => {
    if (element === null) return undefined;
    const onError = (): void => failed(element);
    element.addEventListener('error', onError);
    const leave = load(element);
    return () => {
      element.removeEventListener('error', onError);
      leave?.();
    };
  }, [element, load]);
  const player = {
    className: classes[kind],
    controls: true,
    preload: 'metadata',
    'aria-label': name,
    ref: setElement,
    onLoadedMetadata: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      if (currentTarget instanceof HTMLVideoElement && currentTarget.videoWidth > 0)
        setPicture({ width: currentTarget.videoWidth, height: currentTarget.videoHeight });
      onReady?.(currentTarget);
    },
    onTimeUpdate: ({ currentTarget }: SyntheticEvent<HTMLMediaElement>) => {
      if (currentTarget.currentTime > 0 && !currentTarget.seeking) onProgress?.();
    },
  };
  if (isUnplayable)
    return (
      <ViewerMessage
        icon={FileVideo}
        title={t('viewers.media.failed')}
        body={t('viewers.media.failedBody')}
      />
    );
  return (
    <ViewerFrame
      toolbar={
        picture === null ? null : (
          <Text size="xs" c="dimmed">
            {t('viewers.pixels', picture)}
          </Text>
        )
      }
    >
      <div className={classes.mediaStage} data-keeps-arrows>
        {/* An object has no captions. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        {kind === 'video' ? <video {...player} /> : <audio {...player} />}
      </div>
    </ViewerFrame>
  );
}
