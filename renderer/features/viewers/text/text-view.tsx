import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { ViewerFrame } from '../frame/frame.tsx';
import { useWhole } from '../frame/use-whole.ts';
import type { ViewerProps } from '../frame/viewer.ts';
import classes from '../viewers.module.css';
import { decodeText, formattedJson, textBlocks } from './text-content.ts';

/** Text beyond this is cut. */
const textLimitBytes = 1024 * 1024;

/** Text as text, in blocks of which only those in sight are laid out; JSON is also shown formatted. */
export function TextView({ file }: ViewerProps) {
  const { t } = useTranslation();
  const [wantsPretty, setPretty] = useState(true);
  const { data: bytes, error, refetch } = useWhole(file.source, textLimitBytes);
  const data = useMemo(() => (bytes === undefined ? undefined : decodeText(bytes)), [bytes]);
  const isCut = file.source.sizeBytes > textLimitBytes;
  const isJson = /\.(?:json|geojson|ipynb|webmanifest)$/i.test(file.name) && !isCut;
  const pretty = useMemo(() => (isJson && data !== undefined ? formattedJson(data) : null), [isJson, data]);
  const text = wantsPretty && pretty !== null ? pretty : data;
  const blocks = useMemo(() => (text === undefined ? [] : textBlocks(text)), [text]);
  if (error !== null)
    return (
      <ViewerFrame>
        <ErrorNotice variant="page" error={appErrorOf(error)} onRetry={() => void refetch()} />
      </ViewerFrame>
    );
  const notes = [
    ...(isCut ? [t('viewers.text.truncated', { size: formatBytes(textLimitBytes) })] : []),
    ...(isJson && pretty === null && data !== undefined ? [t('viewers.text.notJson')] : []),
  ];
  return (
    <ViewerFrame
      notes={notes}
      toolbar={
        pretty === null ? null : (
          <SegmentedControl
            size="xs"
            value={wantsPretty ? 'pretty' : 'raw'}
            onChange={(value) => {
              setPretty(value === 'pretty');
            }}
            data={[
              { value: 'pretty', label: t('viewers.text.pretty') },
              { value: 'raw', label: t('viewers.text.asIs') },
            ]}
          />
        )
      }
    >
      <div
        className={classes.text}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
        tabIndex={0}
        role="document"
        aria-label={t('viewers.title', { name: '' })}
        data-keeps-arrows
      >
        {blocks.map((block, at) => (
          <pre
            // oxlint-disable-next-line react/no-array-index-key -- blocks of a text never move
            key={at}
            className={classes.textBlock}
            style={{ containIntrinsicSize: `auto ${String(block.lines * 18)}px` }}
          >
            {block.text}
          </pre>
        ))}
      </div>
    </ViewerFrame>
  );
}
