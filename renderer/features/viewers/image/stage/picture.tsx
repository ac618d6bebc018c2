import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageOff, Info, Maximize, RotateCcw, RotateCw, ZoomIn, ZoomOut } from 'lucide-react';
import { useViewerActions, ViewerFrame, ViewerMessage } from '../../frame/frame.tsx';
import { useRead } from '../../frame/viewer-hooks.ts';
import classes from '../../pictures.module.css';
import viewerClasses from '../../viewers.module.css';
import { Tool } from '../../text/tools.tsx';
import type { Size } from '../parts/orientation.ts';
import { type ImageFact, maxPixels } from '../worker/image-messages.ts';
import { askImageWorker } from '../worker/ask-image-worker.ts';
import { fittedView, nextScale, turned, type View, viewAfterKey } from './zoom.ts';
import { ZoomStage } from './zoom-stage.tsx';
import { factText } from './fact-words.ts';

interface PictureProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Null while unknown. */
  readonly size: Size | null;
  readonly isDrawing?: boolean;
  /** Shown in addition to zoom and turn. */
  readonly tools?: ReactNode;
  /** The image itself, which fills its container. */
  readonly children: ReactNode;
}

/** Shows an image with zoom, turns and the facts from its camera. */
export function Picture({ bytes, name, size, isDrawing = false, tools, children }: PictureProps) {
  const { t } = useTranslation();
  const { isBare = false } = useViewerActions();
  const [view, setView] = useState(fittedView);
  const [fit, setFit] = useState(1);
  const isWide = useMediaQuery('(min-width: 900px)', true);
  const [wantsFacts, setWantsFacts] = useState<boolean | null>(null);
  const facts = useFacts(bytes, !isBare && !isDrawing);
  const isOpen = facts.length > 0 && (wantsFacts ?? isWide);
  const frame = useRef<HTMLDivElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    // Text fields handle keys themselves.
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const next = viewAfterKey(event, view, fit);
    if (next === null) return;
    event.preventDefault();
    setView(next);
  });
  useEffect(() => {
    // In a quick look, the list keeps focus and gets the keys. In a dialog, the keys work wherever focus is.
    const dialog = isBare ? null : (frame.current?.closest('[role="dialog"]') ?? null);
    if (!(dialog instanceof HTMLElement)) return undefined;
    const listen = (event: KeyboardEvent): void => press(event);
    dialog.addEventListener('keydown', listen);
    return () => dialog.removeEventListener('keydown', listen);
  }, [isBare]);
  return (
    <ViewerFrame
      toolbar={
        <>
          <ImageTools
            view={view}
            fit={fit}
            onView={setView}
            facts={facts.length === 0 ? null : { isOpen, onToggle: () => setWantsFacts(!isOpen) }}
          />
          {size === null ? null : (
            <span className={viewerClasses.toolText}>
              {t('viewers.pixels', { width: size.width, height: size.height })}
            </span>
          )}
          {tools}
        </>
      }
    >
      <div className={classes.split} ref={frame}>
        <ZoomStage
          label={t('viewers.image.stage', { name })}
          image={size}
          isDrawing={isDrawing}
          view={view}
          onView={setView}
          onFit={setFit}
        >
          {children}
        </ZoomStage>
        {isOpen ? <FactList facts={facts} /> : null}
      </div>
    </ViewerFrame>
  );
}

/** Says why an image is not shown. */
export function NoImage({ why }: { readonly why: 'failed' | 'unknown' | 'pixels' | 'work' }) {
  const { t, i18n } = useTranslation();
  const limit = new Intl.NumberFormat(i18n.language).format(maxPixels / 1_000_000);
  return (
    <ViewerMessage
      icon={ImageOff}
      title={t(`viewers.image.${why}`)}
      body={t(`viewers.image.${why}Body`, { limit })}
    />
  );
}

interface ImageToolsProps {
  readonly view: View;
  /** The scale at which the whole image is visible. */
  readonly fit: number;
  readonly onView: (view: View) => void;
  /** Null without facts. */
  readonly facts: { readonly isOpen: boolean; readonly onToggle: () => void } | null;
}

/** Buttons to zoom and turn; `viewAfterKey` has their keys. */
function ImageTools({ view, fit, onView, facts }: ImageToolsProps) {
  const { t, i18n } = useTranslation();
  const scale = view.scale ?? fit;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(scale);
  return (
    <>
      <Tool
        icon={ZoomOut}
        label={t('viewers.image.smaller')}
        onClick={() => onView({ ...view, scale: nextScale(scale, -1) })}
      />
      <span className={viewerClasses.toolText} style={{ minWidth: 44, textAlign: 'end' }} role="status">
        {percent}
      </span>
      <Tool
        icon={ZoomIn}
        label={t('viewers.image.larger')}
        onClick={() => onView({ ...view, scale: nextScale(scale, 1) })}
      />
      <Tool
        icon={Maximize}
        label={t('viewers.image.fit')}
        isPressed={view.scale === null}
        onClick={() => onView({ ...view, scale: fittedView.scale })}
      />
      <Tool icon={RotateCcw} label={t('viewers.image.turnLeft')} onClick={() => onView(turned(view, -1))} />
      <Tool icon={RotateCw} label={t('viewers.image.turnRight')} onClick={() => onView(turned(view, 1))} />
      {facts === null ? null : (
        <Tool icon={Info} label={t('viewers.image.info')} isPressed={facts.isOpen} onClick={facts.onToggle} />
      )}
    </>
  );
}

/** Shows the metadata that a camera wrote into an image. */
export function FactList({ facts }: { readonly facts: readonly ImageFact[] }) {
  const { t, i18n } = useTranslation();
  return (
    <dl className={classes.imageFacts} aria-label={t('viewers.image.info')}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{t(`viewers.image.facts.${fact.name}`)}</dt>
          <dd>{factText(fact, t, i18n.language)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Reads the camera's metadata. Returns an empty list if they cannot be read. */
export function useFacts(bytes: Uint8Array<ArrayBuffer>, isEnabled: boolean): readonly ImageFact[] {
  const { data } = useRead(
    async (signal) => {
      const response = await askImageWorker({ kind: 'facts', bytes }, signal);
      return response.kind === 'facts' ? response.facts : [];
    },
    [],
    isEnabled,
  );
  return data ?? [];
}
