import { NumberInput } from '@mantine/core';
import { MoveHorizontal, PanelLeft, ZoomIn, ZoomOut } from 'lucide-react';
import type { TFunction } from 'i18next';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { FindTools, PageTools, Tool } from '../text/tools.tsx';
import type { FindStatus } from './page-viewer.ts';
import classes from '../viewers.module.css';

interface PdfToolsProps {
  readonly page: number;
  readonly pages: number;
  readonly scale: number;
  readonly searchText: string;
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
  const { page, pages, scale, searchText, found, field, hasThumbnails } = props;
  const { onThumbnails, onPage, onZoom, onFind } = props;
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(scale);
  return (
    <>
      {pages === 1 ? null : (
        <Tool
          icon={PanelLeft}
          label={t('viewers.pdf.thumbnails')}
          isPressed={hasThumbnails}
          onClick={onThumbnails}
        />
      )}
      <PageTools page={page} pages={pages} onPage={onPage} />
      <NumberInput
        size="xs"
        w={52}
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
      <span className={classes.toolText} role="status">
        {t('viewers.pdf.of', { pages })}
      </span>
      <Tool icon={ZoomOut} label={t('viewers.image.smaller')} onClick={() => onZoom(-1)} />
      <span className={classes.toolText}>{percent}</span>
      <Tool icon={ZoomIn} label={t('viewers.image.larger')} onClick={() => onZoom(1)} />
      <Tool icon={MoveHorizontal} label={t('viewers.pdf.width')} onClick={() => onZoom(0)} />
      <FindTools
        field={field}
        widthPx={150}
        searchText={searchText}
        onSearchText={(text) => onFind(text, 'first')}
        onPrevious={() => onFind(searchText, 'previous')}
        onNext={() => onFind(searchText, 'next')}
        found={searchText === '' || found === null ? null : foundWords(found, t)}
      />
    </>
  );
}

function foundWords({ total, current, isSearching }: FindStatus, t: TFunction): string {
  if (total > 0) return t('viewers.pdf.match', { current, total });
  return t(isSearching ? 'viewers.pdf.searching' : 'viewers.pdf.noMatch');
}
