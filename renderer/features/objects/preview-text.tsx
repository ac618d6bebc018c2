import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../shared/models/objects.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { fetchBytes } from './preview-bytes.ts';
import { decodeText, formattedJson, textBlocks } from './text-content.ts';
import classes from './preview.module.css';

type TextPreviewProps = Omit<Extract<Preview, { kind: 'text' }>, 'kind'>;

/** Text as text, in blocks of which only those in sight are laid out; JSON is also shown formatted. */
export function TextPreview({ path, language, truncatedAtBytes }: TextPreviewProps) {
  const { t } = useTranslation();
  const [wantsPretty, setPretty] = useState(true);
  const { data, error, refetch } = useQuery({
    queryKey: ['preview-text', path],
    queryFn: async ({ signal }) => decodeText(await fetchBytes(path, signal)),
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  const isJson = language === 'json' && truncatedAtBytes === null;
  const pretty = useMemo(() => (isJson && data !== undefined ? formattedJson(data) : null), [isJson, data]);
  const text = wantsPretty && pretty !== null ? pretty : data;
  const blocks = useMemo(() => (text === undefined ? [] : textBlocks(text)), [text]);
  if (error !== null)
    return <ErrorNotice variant="page" error={appErrorOf(error)} onRetry={() => void refetch()} />;
  return (
    <div className={classes.textStage}>
      {pretty === null ? null : (
        <SegmentedControl
          size="xs"
          value={wantsPretty ? 'pretty' : 'raw'}
          onChange={(value) => {
            setPretty(value === 'pretty');
          }}
          data={[
            { value: 'pretty', label: t('objects.preview.pretty') },
            { value: 'raw', label: t('objects.preview.asIs') },
          ]}
          className={classes.textMode ?? ''}
        />
      )}
      {truncatedAtBytes === null ? null : (
        <Text size="xs" role="note" className={classes.textNote ?? ''}>
          {t('objects.preview.truncated', { size: formatBytes(truncatedAtBytes) })}
        </Text>
      )}
      {isJson && pretty === null && data !== undefined ? (
        <Text size="xs" role="note" className={classes.textNote ?? ''}>
          {t('objects.preview.notJson')}
        </Text>
      ) : null}
      <div
        className={classes.text}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by keyboard
        tabIndex={0}
        role="document"
        aria-label={t('objects.preview.title', { name: '' })}
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
    </div>
  );
}
