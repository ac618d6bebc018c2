import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Coins, FileX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../../shared/models/objects.ts';
import { isPaidClass } from '../../../../shared/models/storage-classes.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { ViewerLoading } from './frame.tsx';

interface NoPreviewProps {
  readonly why: Extract<Preview, { readonly kind: 'none' }>['why'] | 'unknown-type';
}

/** Shows why an object has no preview. */
export function NoPreview({ why }: NoPreviewProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<FileX size={28} />}
      title={t(`viewers.none.${why}`)}
      body={t(`viewers.noneBody.${why}`)}
    />
  );
}

interface PreviewGateProps<T> {
  readonly query: Pick<
    UseQueryResult<T | Extract<Preview, { kind: 'none' }>>,
    'data' | 'error' | 'isFetching' | 'refetch'
  >;
  /** True if the user opened this object, so that reading it may cost extra. */
  readonly isOpenedByUser: boolean;
  readonly children: (data: T) => ReactNode;
}

/** Shows an object once its preview is known, and asks first if reading it costs extra. */
export function PreviewGate<T extends { readonly storageClass: string | null }>(props: PreviewGateProps<T>) {
  const { query, isOpenedByUser, children } = props;
  const { data, error, isFetching, refetch } = query;
  const { t } = useTranslation();
  const [isAgreed, setAgreed] = useState(isOpenedByUser);
  if (error !== null && !isFetching)
    return (
      <ErrorNotice
        variant="page"
        error={appErrorOf(error)}
        onRetry={() => void refetch()}
        permission="s3:GetObject"
      />
    );
  if (data === undefined) return <ViewerLoading />;
  if ('why' in data) return <NoPreview why={data.why} />;
  if (isAgreed || !isPaidClass(data.storageClass)) return children(data);
  return (
    <EmptyState
      icon={<Coins size={28} />}
      title={t('viewers.paid.title')}
      body={t('viewers.paid.body', { storageClass: data.storageClass ?? '' })}
      actions={
        <Button size="xs" variant="default" onClick={() => setAgreed(true)}>
          {t('viewers.paid.show')}
        </Button>
      }
    />
  );
}
