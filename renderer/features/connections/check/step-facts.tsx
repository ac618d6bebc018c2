import { useTranslation } from 'react-i18next';
import type { TestStep } from '../../../../shared/models/connection-test.ts';
import classes from './test-panel.module.css';

/** A step's finding, briefly, after its name. */
export function StepFacts({ step }: { readonly step: TestStep }) {
  const { t } = useTranslation();
  const { facts } = step;
  const word = (name: string) => {
    const value = facts[name];
    return value === undefined || value === '' ? null : value;
  };
  const parts = [
    word('address'),
    word('protocol'),
    word('issuer'),
    word('region'),
    typeof facts['buckets'] === 'number'
      ? t('connectionForm.facts.buckets', { count: facts['buckets'] })
      : null,
    word('bucket'),
    typeof facts['entries'] === 'number'
      ? t('connectionForm.facts.entries', { count: facts['entries'] })
      : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const text = parts.join(' · ');
  return (
    <span className={classes.fact} title={text}>
      {text}
    </span>
  );
}
