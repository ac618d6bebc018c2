import { ImageOff, type LucideIcon, Snowflake } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { defaultSettings } from '../../../../shared/models/default-settings.ts';
import { orpc } from '../../../rpc/client.ts';
import { TypeIcon } from '../../../ui/cells/type-icon.tsx';
import { thumbnailLoader } from './thumbnails.ts';
import type { ThumbnailState, ThumbnailRequest } from './thumbnail-loader.ts';
import classes from '../pictures.module.css';

export interface ThumbnailProps extends ThumbnailRequest {
  readonly isFolder: boolean;
  /** True if the row is visible. Only then is its thumbnail requested. */
  readonly isInSight: boolean;
  /** Size of the icon for an object without a thumbnail. */
  readonly iconPx: number;
  /** True within an option, which cannot contain a button. Keyboard users find the action in the menu of the row. */
  readonly isOption: boolean;
}

/** Shows the thumbnail of an object, or the icon of its type. The name of the object is shown next to it. */
export function Thumbnail({ place, row, isFolder, isInSight, iconPx, isOption }: ThumbnailProps) {
  const { connectionId, bucket } = place;
  const { key, etag, sizeBytes, storageClass } = row;
  const settings = useQuery(orpc.settings.get.queryOptions()).data ?? defaultSettings;
  const imageBytes = settings.thumbnailImageBytes;
  const loader = thumbnailLoader(imageBytes);
  const request = useMemo(
    () => ({ place: { connectionId, bucket }, row: { key, etag, sizeBytes, storageClass } }),
    [connectionId, bucket, key, etag, sizeBytes, storageClass],
  );
  const subscribe = useMemo(
    () => (listener: () => void) => loader.subscribe(request, listener),
    [loader, request],
  );
  const state = useSyncExternalStore(subscribe, () => loader.stateOf(request));
  // Not during the render, because a changed limit notifies all thumbnails.
  useEffect(() => loader.setImageBytes(imageBytes), [loader, imageBytes]);
  useEffect(
    () => (isInSight && !isFolder ? loader.markVisible(request) : undefined),
    [loader, request, isInSight, isFolder],
  );
  const icon = <TypeIcon name={lastSegment(key)} isFolder={isFolder} size={iconPx} />;
  return isFolder ? (
    icon
  ) : (
    <Drawn
      state={state}
      icon={icon}
      storageClass={storageClass}
      isOption={isOption}
      onAsk={() => loader.ask(request)}
    />
  );
}

const enlarged = 4;
/** Images smaller than this are treated as icons, not photos. */
const iconEdgePx = 128;

function keepIconsSmall({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void {
  const widthPx = image.naturalWidth / enlarged;
  if (Math.max(widthPx, image.naturalHeight / enlarged) < iconEdgePx)
    image.style.width = `${String(widthPx)}px`;
}

interface DrawnProps {
  readonly state: ThumbnailState;
  readonly icon: ReactNode;
  readonly storageClass: string | null;
  readonly isOption: boolean;
  readonly onAsk: () => void;
}

function Drawn({ state, icon, storageClass, isOption, onAsk }: DrawnProps) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'made':
      return (
        <img
          // A lower density enlarges a small image to the tile and keeps its proportions.
          srcSet={`${state.address} ${String(1 / enlarged)}x`}
          alt=""
          draggable={false}
          className={classes.smallImage}
          onLoad={keepIconsSmall}
        />
      );
    case 'waiting':
      return <span className={classes.shimmer} />;
    case 'none':
      return icon;
    case 'failed':
      return <Noted icon={icon} note={t('viewers.thumbnail.failed')} sign={ImageOff} />;
    case 'asks':
      return (
        <Noted icon={icon} note={t(`viewers.thumbnail.${state.why}`)} sign={Snowflake} label={storageClass}>
          <Ask isOption={isOption} onAsk={onAsk} />
        </Noted>
      );
    default:
      return assertNever(state);
  }
}

interface NotedProps {
  readonly icon: ReactNode;
  /** The reason why there is no thumbnail. */
  readonly note: string;
  readonly sign: LucideIcon;
  readonly label?: string | null;
  readonly children?: ReactNode;
}

/** Shows the icon of an object, with the reason why it has no thumbnail. */
function Noted({ icon, note, sign: Sign, label, children }: NotedProps) {
  return (
    <span className={classes.noImage} title={note}>
      {icon}
      <span className={classes.imageNote}>
        <Sign size={12} aria-hidden />
        {label}
        <span className="visually-hidden">{note}</span>
      </span>
      {children}
    </span>
  );
}

function Ask({ isOption, onAsk }: Pick<DrawnProps, 'isOption' | 'onAsk'>) {
  const { t } = useTranslation();
  if (!isOption)
    return (
      <button type="button" className={classes.askImage} onClick={onAsk}>
        {t('viewers.thumbnail.show')}
      </button>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.askImage}
      aria-hidden
      onClick={onAsk}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {t('viewers.thumbnail.show')}
    </span>
  );
}
