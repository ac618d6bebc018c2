import { useMemo, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { foreignCharacterOf, tidyKeyText } from '../../../../shared/key-text.ts';
import type { EndpointAdvice } from '../../../../shared/providers/endpoint.ts';
import { readServiceAddress } from '../../../../shared/providers/service-address.ts';
import {
  type ConnectionDraft,
  differs,
  formatStart,
  storedFor,
  type StoredSecrets,
  tidyEndpoint,
} from '../model/connection-form-model.ts';
import {
  type ConnectionField,
  connectionFields,
  type ConnectionProblem,
  connectionProblems,
  endpointAdvice,
  type Hint,
  hintsOf,
} from '../model/form-validation.ts';

export interface ConnectionForm {
  readonly draft: ConnectionDraft;
  readonly stored: StoredSecrets;
  readonly dirty: boolean;
  readonly problemCount: number;
  readonly change: (change: Partial<ConnectionDraft> | ((draft: ConnectionDraft) => ConnectionDraft)) => void;
  readonly touch: (field: ConnectionField) => void;
  /** Returns the problem to show now. Invalid input is reported immediately, missing input after the user leaves the field. */
  readonly problem: (field: ConnectionField) => ConnectionProblem | null;
  readonly hint: (field: ConnectionField) => Hint | null;
  /** Shows all problems and focuses the first field with a problem. Returns this field, or null. */
  readonly check: () => ConnectionField | null;
}

export const advancedFields: ReadonlySet<ConnectionField> = new Set(['caPem', 'proxyUrl']);

const fieldId = (field: ConnectionField): string => `connection-${field}`;

const framesToWait = 10;

/** Focuses a field once it has rendered. This may take some frames if the field's section has to open first. */
export function focusField(field: ConnectionField, framesLeft = framesToWait): void {
  requestAnimationFrame(() => {
    const element = document.getElementById(fieldId(field));
    if (element === null) {
      if (framesLeft > 0) focusField(field, framesLeft - 1);
      return;
    }
    element.focus();
    element.scrollIntoView({ block: 'center' });
  });
}

export function useConnectionForm(initial: ConnectionDraft, storedSecrets: StoredSecrets): ConnectionForm {
  const [draft, setDraft] = useState(initial);
  const stored = useMemo(() => storedFor(draft, storedSecrets), [draft, storedSecrets]);
  const [touched, setTouched] = useState<ReadonlySet<ConnectionField>>(new Set());
  const [isChecked, setChecked] = useState(false);
  const problems = useMemo(() => connectionProblems(draft, stored), [draft, stored]);
  const hints = useMemo(() => hintsOf(draft, stored), [draft, stored]);

  return {
    draft,
    stored,
    dirty: differs(initial, draft),
    problemCount: isChecked ? Object.keys(problems).length : 0,
    change(change) {
      setDraft((now) => (typeof change === 'function' ? change(now) : { ...now, ...change }));
    },
    touch(field) {
      setTouched((now) => (now.has(field) ? now : new Set([...now, field])));
    },
    problem(field) {
      const problem = problems[field];
      if (problem === undefined) return null;
      return isChecked || touched.has(field) || !problem.endsWith('-missing') ? problem : null;
    },
    hint: (field) => hints[field] ?? null,
    check() {
      setChecked(true);
      const first = connectionFields.find((field) => problems[field] !== undefined);
      if (first !== undefined) focusField(first);
      return first ?? null;
    },
  };
}

/** The order of an input's parts, with its description below it. */
export const descriptionBelow: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

/** Returns the props of the form's inputs: id, label, text, problem, and a hint or description. */
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
      label: t(`connectionForm.form.${field === 'caPem' ? 'ca' : field}`),
      value: form.draft[field],
      error: error === undefined || advice === null ? error : `${error} ${adviceText(advice, t)}`,
      // Shows either the problem or the hint, not both.
      description: problem === null ? hintText : undefined,
      'data-hint': hint === null ? undefined : true,
      inputWrapperOrder: descriptionBelow,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        form.change({ [field]: event.currentTarget.value }),
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
