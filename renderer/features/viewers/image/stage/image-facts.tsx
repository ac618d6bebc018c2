import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { askImageWorker } from '../worker/ask-image-worker.ts';
import { factWords } from './fact-words.ts';
import type { ImageFact } from '../worker/image-messages.ts';
import classes from '../../pictures.module.css';

/** Shows the metadata that a camera wrote into an image. */
export function FactList({ facts }: { readonly facts: readonly ImageFact[] }) {
  const { t, i18n } = useTranslation();
  return (
    <dl className={classes.imageFacts} aria-label={t('viewers.image.info')}>
      {facts.map((fact) => {
        const { label, value } = factWords(fact, t, i18n.language);
        return (
          <div key={fact.name}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Reads the camera's metadata. Returns an empty list if they cannot be read. */
export function useFacts(bytes: Uint8Array<ArrayBuffer>, isWanted: boolean): readonly ImageFact[] {
  const id = useId();
  const { data } = useQuery({
    queryKey: ['viewer-image-facts', id],
    queryFn: async ({ signal }) => {
      const answer = await askImageWorker({ kind: 'facts', bytes }, signal);
      return answer.kind === 'facts' ? answer.facts : [];
    },
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  return data ?? [];
}
