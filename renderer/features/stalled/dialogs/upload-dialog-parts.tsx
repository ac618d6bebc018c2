import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { CompletionCheck, UploadRef } from '../../../../shared/models/stalled.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import common from '../../../ui/common.module.css';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { refId } from '../model/list-query.ts';
import classes from '../stalled-dialogs.module.css';

export type Tone = 'quiet' | 'ok' | 'warning' | 'danger';

const toneClasses = {
  quiet: common.quiet,
  ok: common.good,
  warning: common.warn,
  danger: common.bad,
} as const;

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
      <span className={joinClasses(common.quiet, common.numbers)}>{size}</span>
      {state === null ? null : <span className={joinClasses(toneClasses[tone], classes.state)}>{state}</span>}
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
      <p>{t('stalled.refusedList.title', { count: refused.length })}</p>
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

/** Number of uploads per request, small enough to show progress and within the limit of the core's API. */
const chunkSize = 20;

/** Lists the parts of these uploads again, a few uploads at a time, and returns whether each upload can be completed. */
export function useChecks(refs: readonly UploadRef[]) {
  const [found, setFound] = useState<Found>({ run: 0, checks: [], error: null });
  const [run, setRun] = useState(1);
  useEffect(() => {
    const aborter = new AbortController();
    const { signal } = aborter;
    void (async () => {
      let checks: readonly CompletionCheck[] = [];
      try {
        for (let at = 0; at < refs.length; at += chunkSize) {
          const chunk = refs.slice(at, at + chunkSize);
          const read = await rpc.stalled.checkCompletion({ refs: chunk }, { signal });
          if (signal.aborted) return;
          checks = [...checks, ...read];
          setFound({ run, checks, error: null });
        }
      } catch (thrown) {
        if (!signal.aborted) setFound({ run, checks, error: appErrorOf(thrown) });
      }
    })();
    return () => aborter.abort();
  }, [refs, run]);
  const retry = useCallback(() => setRun((now) => now + 1), []);
  const { checks, error } = found.run === run ? found : { checks: [], error: null };
  return { checks, error, retry };
}

interface Found {
  /** The attempt to which these results belong. */
  readonly run: number;
  readonly checks: readonly CompletionCheck[];
  readonly error: AppError | null;
}
