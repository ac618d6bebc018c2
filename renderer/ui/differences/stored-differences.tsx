import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../shared/errors.ts';
import type { SettingsDifference, SettingsOutcome } from '../../../shared/models/bucket-settings.ts';
import { LiveWarning } from '../dialog/dialog.tsx';
import { ErrorNotice } from '../words/error-notice.tsx';
import { joinClasses } from '../class-names.ts';
import common from '../common.module.css';
import classes from '../parts.module.css';
import { lineDiff, withoutUnchangedLines } from './line-diff.ts';

interface Props {
  /** The outcome of a save that the service stored differently, or that could not be read back. */
  readonly outcome: SettingsOutcome;
  readonly restore: {
    readonly isPending: boolean;
    /** True if a restore has ended with this outcome or error. */
    readonly wasTried: boolean;
    readonly error: AppError | null;
    readonly start: (outcome: SettingsOutcome) => void;
  };
  readonly permission: string;
  readonly onKeep: () => void;
}

/** Shows the differences between the sent and the stored configuration, and offers to restore the previous one. */
export function StoredDifferences({ outcome, restore, permission, onKeep }: Props) {
  const { t } = useTranslation();
  const { kind, document, differences, before } = outcome;
  const words = kind === 'unread' ? 'unread' : restore.wasTried ? 'restore' : 'save';
  return (
    <>
      <LiveWarning title={t(`buckets.differs.${words}.title`)}>
        {t(`buckets.differs.${words}.body`)}
      </LiveWarning>
      <ul className={common.column} style={{ gap: 12 }}>
        {differences.map((difference) => (
          <li
            className={common.column}
            style={{ gap: 6 }}
            key={`${difference.kind} ${difference.name} ${difference.position}`}
          >
            <p className={common.breaks}>{sentenceOf(difference, t)}</p>
            <ChangeView before={difference.wanted} after={difference.found} />
          </li>
        ))}
      </ul>
      {document.error === null ? null : <ErrorNotice error={document.error} isReading />}
      {restore.error === null ? null : <ErrorNotice error={restore.error} permission={permission} />}
      <div className={common.footer}>
        <Button variant="default" onClick={onKeep}>
          {t(kind === 'unread' ? 'buckets.settings.reload' : 'buckets.differs.keep')}
        </Button>
        {before === null || kind === 'unread' ? null : (
          <Button loading={restore.isPending} onClick={() => restore.start(outcome)}>
            {t('buckets.differs.restoreButton')}
          </Button>
        )}
      </div>
    </>
  );
}

function sentenceOf({ kind, name, position, touched }: SettingsDifference, t: TFunction): string {
  const label = name === '' ? t('buckets.differs.unnamed', { position }) : name;
  if (kind === 'extra') return t('buckets.differs.extra', { name: label });
  return t(`buckets.differs.${kind}.${touched ? 'yours' : 'other'}`, { name: label });
}

const marks = { same: '  ', removed: '− ', added: '+ ' } as const;

/** The changes a save would make, line by line. */
export function ChangeView({ before, after }: { readonly before: string; readonly after: string }) {
  const { t } = useTranslation();
  const lines = lineDiff(before, after);
  if (lines.every(({ change }) => change === 'same'))
    return <p className={common.breaks}>{t('buckets.settings.save.same')}</p>;
  return (
    <div
      className={joinClasses(common.framed, common.mono, common.scroll, classes.diff)}
      role="group"
      aria-label={t('buckets.settings.save.after')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {withoutUnchangedLines(lines).map((line, index) =>
        line === null ? (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no other name
          <div key={index}>{'  …'}</div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} data-change={line.change}>
            {marks[line.change]}
            {line.text}
          </div>
        ),
      )}
    </div>
  );
}
