import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';

/** Returns a connection's name: translated for the samples, otherwise the user's. */
export function useConnectionName(): (connection: Connection) => string {
  const { t } = useTranslation();
  return ({ builtIn, name }) => (builtIn ? t('connections.samples') : name);
}
