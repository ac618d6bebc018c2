import { useTranslation } from 'react-i18next';
import { lineDiff, withoutUnchangedLines } from './line-diff.ts';
import common from '../common.module.css';

const marks = { same: '  ', removed: '− ', added: '+ ' } as const;

/** The changes a save would make, line by line. */
export function ChangeView({ before, after }: { readonly before: string; readonly after: string }) {
  const { t } = useTranslation();
  const lines = lineDiff(before, after);
  if (lines.every(({ change }) => change === 'same'))
    return <p className={common.diffSentence}>{t('buckets.settings.save.same')}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
    <div className={common.diff} role="group" aria-label={t('buckets.settings.save.after')} tabIndex={0}>
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
