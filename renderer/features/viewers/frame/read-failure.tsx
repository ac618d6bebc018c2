import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useObjectRefresh } from './object-refresh.ts';

export interface ReadFailureProps {
  readonly error: AppError;
  /** Resumes reading after the failure. Absent if a retry is not possible. */
  readonly onRetry?: (() => unknown) | undefined;
  readonly variant?: 'page' | 'line';
}

/** Says that bytes could not be read, and offers a retry. If the object has changed, offers its new version instead. */
export function ReadFailure({ error, onRetry, variant = 'line' }: ReadFailureProps) {
  const { t } = useTranslation();
  const refresh = useObjectRefresh();
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<AppError | null>(null);
  const readNew = async (read: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await read();
      setFailed(null);
    } catch (thrown) {
      setFailed(appErrorOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  const isChanged = error.reason === 'object-changed';
  return (
    <ErrorNotice
      variant={variant}
      permission="s3:GetObject"
      isReading
      error={failed ?? error}
      {...(isChanged || onRetry === undefined ? {} : { onRetry: () => void onRetry() })}
      actions={
        isChanged && refresh !== null ? (
          <Button
            variant="default"
            loading={isBusy}
            leftSection={<RefreshCw size={14} aria-hidden />}
            onClick={() => void readNew(refresh)}
          >
            {t('viewers.readNew')}
          </Button>
        ) : undefined
      }
    />
  );
}
