import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { Sentence } from '../../../ui/dialog/dialog-words.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { refId } from '../model/list-query.ts';
import common from '../../../ui/common.module.css';
import classes from '../stalled-dialogs.module.css';

export type Tone = 'quiet' | 'ok' | 'warning' | 'danger';

interface UploadLineProps {
  readonly upload: UploadRef;
  readonly size: string | null;
  readonly state: ReactNode;
  readonly tone?: Tone;
}

/** One upload in the list of a dialog. */
export function UploadLine({ upload, size, state, tone = 'quiet' }: UploadLineProps) {
  return (
    <li>
      <span className={common.cut} title={`${upload.bucket}/${upload.key}`}>
        <KeyText name={upload.key} />
      </span>
      <span className={classes.size}>{size}</span>
      {state === null ? null : (
        <span className={classes.state} data-tone={tone}>
          {state}
        </span>
      )}
    </li>
  );
}

export interface Refused {
  readonly ref: UploadRef;
  readonly error: AppError;
}

/** Lists the selected uploads for which no job was started, and why. */
export function RefusedList({ refused }: { readonly refused: readonly Refused[] }) {
  const { t } = useTranslation();
  return (
    <div>
      <Sentence>{t('stalled.refusedList.title', { count: refused.length })}</Sentence>
      {refused.slice(0, 20).map(({ ref, error }) => (
        <div key={refId(ref)}>
          <strong>
            <KeyText name={ref.key} />
          </strong>
          <ErrorNotice error={error} />
        </div>
      ))}
    </div>
  );
}
