import { NumberInput, TextInput } from '@mantine/core';
import { ChevronDown, ChevronUp, MoveHorizontal, PanelLeft, Search, ZoomIn, ZoomOut } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Tool } from '../text/tools.tsx';
import type { FindStatus } from './page-viewer.ts';
import classes from '../pictures.module.css';

interface PdfToolsProps {
  readonly page: number;
  readonly pages: number;
  readonly scale: number;
  readonly wanted: string;
  readonly found: FindStatus | null;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly hasThumbnails: boolean;
  readonly onThumbnails: () => void;
  readonly onPage: (page: number) => void;
  readonly onZoom: (by: -1 | 0 | 1) => void;
  readonly onFind: (text: string, go: 'first' | 'next' | 'previous') => void;
}

/** Controls for the pages, zoom and search of a document. */
export function PdfTools(props: PdfToolsProps) {
  const { page, pages, scale, wanted, found, field, hasThumbnails } = props;
  const { onThumbnails, onPage, onZoom, onFind } = props;
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(scale);
  return (
    <>
      {pages === 1 ? null : (
        <Tool label={t('viewers.pdf.thumbnails')} isPressed={hasThumbnails} onClick={onThumbnails}>
          <PanelLeft size={16} aria-hidden />
        </Tool>
      )}
      <Tool label={t('viewers.pdf.previous')} isDisabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronUp size={16} aria-hidden />
      </Tool>
      <Tool label={t('viewers.pdf.next')} isDisabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronDown size={16} aria-hidden />
      </Tool>
      <NumberInput
        size="xs"
        className={classes.pageField ?? ''}
        aria-label={t('viewers.pdf.goTo')}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        min={1}
        max={pages}
        value={page}
        data-keeps-arrows
        onChange={(number) => {
          if (typeof number === 'number' && number >= 1 && number <= pages) onPage(number);
        }}
      />
      <span className={classes.numbers} role="status">
        {t('viewers.pdf.of', { pages })}
      </span>
      <Tool label={t('viewers.image.smaller')} onClick={() => onZoom(-1)}>
        <ZoomOut size={16} aria-hidden />
      </Tool>
      <span className={classes.numbers}>{percent}</span>
      <Tool label={t('viewers.image.larger')} onClick={() => onZoom(1)}>
        <ZoomIn size={16} aria-hidden />
      </Tool>
      <Tool label={t('viewers.pdf.width')} onClick={() => onZoom(0)}>
        <MoveHorizontal size={16} aria-hidden />
      </Tool>
      <TextInput
        size="xs"
        className={classes.pdfFind ?? ''}
        ref={field}
        aria-label={t('viewers.text.find')}
        placeholder={t('viewers.text.find')}
        leftSection={<Search size={14} aria-hidden />}
        value={wanted}
        data-keeps-arrows
        onChange={({ currentTarget }) => onFind(currentTarget.value, 'first')}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || wanted === '') return;
          event.preventDefault();
          onFind(wanted, event.shiftKey ? 'previous' : 'next');
        }}
      />
      <Tool
        label={t('viewers.text.findPrevious')}
        isDisabled={wanted === ''}
        onClick={() => onFind(wanted, 'previous')}
      >
        <ChevronUp size={16} aria-hidden />
      </Tool>
      <Tool
        label={t('viewers.text.findNext')}
        isDisabled={wanted === ''}
        onClick={() => onFind(wanted, 'next')}
      >
        <ChevronDown size={16} aria-hidden />
      </Tool>
      <span className={classes.numbers} role="status">
        {wanted === '' || found === null
          ? null
          : found.total > 0
            ? t('viewers.pdf.match', { current: found.current, total: found.total })
            : found.isSearching
              ? t('viewers.pdf.searching')
              : t('viewers.pdf.noMatch')}
      </span>
    </>
  );
}
