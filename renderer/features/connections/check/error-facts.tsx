import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { errorFacts } from '../../../ui/words/error-words.ts';
import classes from './test-panel.module.css';

/** The service's code, message and request id, one click away. */
export function ErrorFacts({ error }: { readonly error: AppError }) {
  const { t } = useTranslation();
  return (
    <Text component="details" size="xs" className={classes.details}>
      <summary>{t('errors.details')}</summary>
      <dl className={classes.facts}>
        {errorFacts(error).map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`errors.fields.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Text>
  );
}
