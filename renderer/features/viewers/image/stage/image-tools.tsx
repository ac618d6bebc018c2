import { Info, Maximize, RotateCcw, RotateCw, ZoomIn, ZoomOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tool } from '../../text/tools.tsx';
import { fittedView, nextScale, turned, type View } from './zoom.ts';
import classes from '../../pictures.module.css';

interface ImageToolsProps {
  readonly view: View;
  /** The scale at which the whole image is visible. */
  readonly fit: number;
  readonly onView: (view: View) => void;
  /** Null without facts. */
  readonly facts: { readonly isOpen: boolean; readonly onToggle: () => void } | null;
}

/** Buttons to zoom and turn; their keys are in `image-keys.ts`. */
export function ImageTools({ view, fit, onView, facts }: ImageToolsProps) {
  const { t, i18n } = useTranslation();
  const scale = view.scale ?? fit;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(scale);
  return (
    <>
      <Tool
        label={t('viewers.image.smaller')}
        onClick={() => onView({ ...view, scale: nextScale(scale, -1) })}
      >
        <ZoomOut size={16} aria-hidden />
      </Tool>
      <span className={classes.imageScale} role="status">
        {percent}
      </span>
      <Tool label={t('viewers.image.larger')} onClick={() => onView({ ...view, scale: nextScale(scale, 1) })}>
        <ZoomIn size={16} aria-hidden />
      </Tool>
      <Tool
        label={t('viewers.image.fit')}
        isPressed={view.scale === null}
        onClick={() => onView({ ...view, scale: fittedView.scale })}
      >
        <Maximize size={16} aria-hidden />
      </Tool>
      <Tool label={t('viewers.image.turnLeft')} onClick={() => onView(turned(view, -1))}>
        <RotateCcw size={16} aria-hidden />
      </Tool>
      <Tool label={t('viewers.image.turnRight')} onClick={() => onView(turned(view, 1))}>
        <RotateCw size={16} aria-hidden />
      </Tool>
      {facts === null ? null : (
        <Tool label={t('viewers.image.info')} isPressed={facts.isOpen} onClick={facts.onToggle}>
          <Info size={16} aria-hidden />
        </Tool>
      )}
    </>
  );
}
