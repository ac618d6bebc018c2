import { createInstance } from 'i18next';
import { hostMessages, type HostMessage } from '../../shared/messages/en/host.ts';

const catalogue = createInstance();
void catalogue.init({
  lng: 'en',
  initAsync: false,
  interpolation: { escapeValue: false },
  resources: { en: { host: hostMessages } },
  defaultNS: 'host',
});

/** A sentence of the hosts' catalogue, with its values put in. */
export function text(
  name: HostMessage | 'quitMessage',
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue.t(name, values);
}
