import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { foreignCharacterOf, tidyKeyText } from '../../../../shared/key-text.ts';
import type { EndpointAdvice } from '../../../../shared/providers/endpoint.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';
import { formatStart, tidyEndpoint } from '../model/connection-form-model.ts';
import { endpointAdvice, type ConnectionField } from '../model/form-validation.ts';
import { fieldId, type ConnectionForm } from './use-connection-form.ts';

/** Returns the common props of the form's inputs: id, problem, and a hint or description. */
export function useFieldProps(form: ConnectionForm) {
  const { t } = useTranslation();
  return (field: ConnectionField, description?: string) => {
    const problem = form.problem(field);
    const hint = form.hint(field);
    const foreign = foreignCharacterOf(tidyKeyText(form.draft[field]));
    const values = { code: foreign?.code ?? '', position: foreign?.position ?? 0 };
    const path = readServiceAddress(tidyEndpoint(form.draft.endpoint))?.path ?? '';
    const hintText = hint === null ? description : t(`connectionForm.hints.${hint}`, { path });
    const advice = field === 'endpoint' ? endpointAdvice(form.draft) : null;
    const error = problem === null ? undefined : t(`connectionForm.problems.${problem}`, values);
    return {
      id: fieldId(field),
      size: 'sm' as const,
      error: error === undefined || advice === null ? error : `${error} ${adviceText(advice, t)}`,
      // Shows either the problem or the hint, not both.
      description: problem === null ? hintText : undefined,
      'data-hint': hint === null ? undefined : true,
      inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
        'label' | 'input' | 'description' | 'error'
      )[],
      onBlur: () => form.touch(field),
    };
  };
}

function adviceText({ endpoint, start }: EndpointAdvice, t: TFunction): string {
  if (endpoint === null) return t('connectionForm.endpointAdvice.none');
  return start === null
    ? t('connectionForm.endpointAdvice.endpoint', { endpoint })
    : t('connectionForm.endpointAdvice.both', { endpoint, start: formatStart(start) });
}
