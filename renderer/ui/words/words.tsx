import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

function Words({ say }: { readonly say: (t: TFunction) => string }) {
  const { t } = useTranslation();
  return <>{say(t)}</>;
}

/** Text that is kept somewhere for longer, as in a notice that stays: it follows the language of the window. */
export function words(say: (t: TFunction) => string): ReactNode {
  return <Words say={say} />;
}
