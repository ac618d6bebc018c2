import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { fitScale, scrollAfterZoom, turnedSize, wheeledScale, type View } from './zoom.ts';
import type { Size } from '../parts/orientation.ts';
import classes from '../../pictures.module.css';

interface ZoomStageProps {
  readonly label: string;
  readonly image: Size | null;
  readonly isDrawing: boolean;
  readonly view: View;
  readonly onView: (view: View) => void;
  /** Called with the scale at which the whole image is visible. */
  readonly onFit: (scale: number) => void;
  readonly children: ReactNode;
}

const margin = 16;

/**
 * The area that shows an image. It scrolls if the image is larger, and keeps the point below the pointer in place while
 * zooming.
 */
export function ZoomStage({ label, image, isDrawing, view, onView, onFit, children }: ZoomStageProps) {
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const [stageSize, setStageSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (stage === null) return undefined;
    const observer = new ResizeObserver(() =>
      setStageSize({ width: stage.clientWidth, height: stage.clientHeight }),
    );
    observer.observe(stage);
    return () => observer.disconnect();
  }, [stage]);
  const natural = turnedSize(image ?? { width: 0, height: 0 }, view.turns);
  const fit = fitScale(
    natural,
    { width: stageSize.width - 2 * margin, height: stageSize.height - 2 * margin },
    isDrawing,
  );
  const scale = view.scale ?? fit;
  const shown = { width: natural.width * scale, height: natural.height * scale };
  const reportFit = useEffectEvent(onFit);
  useEffect(() => {
    reportFit(fit);
  }, [fit]);

  // The pointer's position at the last wheel event, or null for the middle of the stage.
  const pointer = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const before = useRef<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const from = before.current;
    before.current = { width: shown.width, height: shown.height };
    if (stage === null || from.width === 0 || from.width === shown.width) return;
    const inside = { width: stage.clientWidth, height: stage.clientHeight };
    const at = pointer.current ?? { x: inside.width / 2, y: inside.height / 2 };
    pointer.current = null;
    const next = scrollAfterZoom(
      inside,
      { from, to: { width: shown.width, height: shown.height } },
      { left: stage.scrollLeft, top: stage.scrollTop },
      at,
    );
    stage.scrollTo({ ...next, behavior: 'instant' });
  }, [stage, shown.width, shown.height]);

  const wheel = useEffectEvent((event: WheelEvent, at: { readonly x: number; readonly y: number }) => {
    // A pinch on a touchpad arrives as a wheel event with Ctrl.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    pointer.current = at;
    onView({ ...view, scale: wheeledScale(scale, event.deltaY) });
  });
  useEffect(() => {
    if (stage === null) return undefined;
    const turn = (event: WheelEvent): void => {
      const box = stage.getBoundingClientRect();
      wheel(event, { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    // Adds a native listener, since React's are passive and cannot prevent the page from zooming.
    stage.addEventListener('wheel', turn, { passive: false });
    return () => stage.removeEventListener('wheel', turn);
  }, [stage]);

  const isLarger = shown.width > stageSize.width + 1 || shown.height > stageSize.height + 1;
  const drag = useCallback((element: HTMLDivElement, first: { clientX: number; clientY: number }) => {
    const start = { left: element.scrollLeft, top: element.scrollTop };
    const move = (event: PointerEvent): void => {
      element.scrollTo({
        left: start.left - (event.clientX - first.clientX),
        top: start.top - (event.clientY - first.clientY),
        behavior: 'instant',
      });
    };
    const end = (): void => window.removeEventListener('pointermove', move);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end, { once: true });
    window.addEventListener('pointercancel', end, { once: true });
  }, []);
  return (
    <div
      ref={setStage}
      className={classes.stage}
      data-larger={isLarger}
      role="group"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
      tabIndex={isLarger ? 0 : -1}
      // Without anything to scroll here, arrow keys move to the next object.
      {...(isLarger ? { 'data-keeps-arrows': true } : {})}
      onPointerDown={(event) => {
        if (!isLarger || event.button !== 0 || event.pointerType === 'touch') return;
        drag(event.currentTarget, event);
      }}
    >
      <div className={classes.space} style={{ width: shown.width, height: shown.height }}>
        <div
          className={classes.turned}
          style={{
            width: (image?.width ?? 0) * scale,
            height: (image?.height ?? 0) * scale,
            transform: `translate(-50%, -50%) rotate(${String(view.turns * 90)}deg)`,
            imageRendering: scale >= 4 ? 'pixelated' : 'auto',
          }}
        >
          {children}
        </div>
      </div>
    </div>
  );
}
