import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Foreign, UnreadableEntry } from '../../../shared/models/objects.ts';
import classes from './cells.module.css';
import common from '../common.module.css';

/** Maximum number of entries shown, which is enough as examples. */
const maxShown = 50;

const none: readonly UnreadableEntry[] = [];
const noForeign: Foreign = { count: 0, example: null };

interface LeftOutProps {
  readonly unreadable?: readonly UnreadableEntry[];
  /** Entries that the service listed although they are outside the requested prefix. */
  readonly foreign?: Foreign | undefined;
}

/** Says how many listed entries the table omits. A click shows these entries. */
export function OmittedEntries({ unreadable = none, foreign = noForeign }: LeftOutProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  if (unreadable.length === 0 && foreign.count === 0) return null;
  const rest = unreadable.length - maxShown;
  return (
    <div className={common.note} role="status">
      {unreadable.length === 0 ? null : (
        <>
          <span>{t('objects.unreadable', { count: unreadable.length })}</span>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {t('common.details')}
          </Button>
        </>
      )}
      {foreign.count === 0 ? null : (
        <span>{t('objects.foreign', { count: foreign.count, example: foreign.example ?? '' })}</span>
      )}
      {isOpen ? (
        <ul className={classes.leftOut}>
          {unreadable.slice(0, maxShown).map(({ text, why }, index) => (
            // The entries have no name and are never reordered.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <strong>{why}</strong>
              <pre>{text}</pre>
            </li>
          ))}
          {rest > 0 ? <li>{t('common.andMore', { count: rest })}</li> : null}
        </ul>
      ) : null}
    </div>
  );
}
