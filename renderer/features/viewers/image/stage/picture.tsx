import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewerActions, ViewerFrame } from '../../frame/frame.tsx';
import { FactList, useFacts } from './image-facts.tsx';
import { viewAfterKey } from './image-keys.ts';
import { ImageTools } from './image-tools.tsx';
import { fittedView, type Size } from './zoom.ts';
import { ZoomStage } from './zoom-stage.tsx';
import classes from '../../pictures.module.css';

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
    return () => {
      dialog.removeEventListener('keydown', listen);
    };
  }, [isBare]);
  return (
    <ViewerFrame
      toolbar={
        <>
          <ImageTools
            view={view}
            fit={fit}
            onView={setView}
            facts={
              facts.length === 0
                ? null
                : {
                    isOpen,
                    onToggle: () => {
                      setWantsFacts(!isOpen);
                    },
                  }
            }
          />
          {size === null ? null : (
            <span className={classes.numbers}>
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
