import { useTranslation } from 'react-i18next';
import { foreignCharacterOf, tidyKeyText } from '../../../../shared/key-text.ts';
import type { ConnectionField } from '../model/form-validation.ts';
import { fieldId, type ConnectionForm } from './use-connection-form.ts';

/** Common properties of the form's inputs: id, problem, and a hint or description. */
export function useFieldProps(form: ConnectionForm) {
  const { t } = useTranslation();
  return (field: ConnectionField, description?: string) => {
    const problem = form.problem(field);
    const hint = form.hint(field);
    const foreign = foreignCharacterOf(tidyKeyText(form.draft[field]));
    const values = { code: foreign?.code ?? '', position: foreign?.position ?? 0 };
    const said = hint === null ? description : t(`connections.hints.${hint}`);
    return {
      id: fieldId(field),
      size: 'sm' as const,
      error: problem === null ? undefined : t(`connections.problems.${problem}`, values),
      // One sentence at a time.
      description: problem === null ? said : undefined,
      'data-hint': hint === null ? undefined : true,
      inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
        'label' | 'input' | 'description' | 'error'
      )[],
      onBlur: () => form.touch(field),
    };
  };
}
