import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../shared/models/connection.ts';

/** What a connection is called: the samples by the catalogue, all others as the user named them. */
export function useConnectionName(): (connection: Connection) => string {
  const { t } = useTranslation();
  return ({ builtIn, name }) => (builtIn ? t('connections.samples') : name);
}
