import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';

/** A connection's name: from the catalogue for the samples, otherwise the user's. */
export function useConnectionName(): (connection: Connection) => string {
  const { t } = useTranslation();
  return ({ builtIn, name }) => (builtIn ? t('connections.samples') : name);
}
