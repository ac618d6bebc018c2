import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import { useConnections } from './connection-queries.ts';

/** Returns a function for the name of a connection. The names of samples are translated; other names are the user's. */
export function useConnectionName(): (connection: Connection) => string {
  const { t } = useTranslation();
  return ({ builtIn, name }) => (builtIn ? t('connections.samples') : name);
}

/** Returns a function for the name of a connection by its id. It returns a placeholder until the connections are known. */
export function useConnectionNameById(): (connectionId: string) => string {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const connections = useConnections().data;
  return (connectionId) => {
    const connection = connections?.find(({ id }) => id === connectionId);
    return connection === undefined ? t('common.loading') : nameOf(connection);
  };
}
