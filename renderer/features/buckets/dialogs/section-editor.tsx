import { Button, SegmentedControl } from '@mantine/core';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketForm } from '../../../../shared/models/bucket-forms.ts';
import {
  sectionFacts,
  type SettingsDocument,
  type SettingsProblem,
} from '../../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { emptyBucketForm, formProblem, isEmptyForm } from '../sections/bucket-form-model.ts';
import { FormView } from '../sections/form-view.tsx';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import { Review, type Reviewed } from '../review/review.tsx';
import type { SectionNews } from '../sections/section-marks.ts';
import { startText } from '../sections/start-text.ts';
import { TextEditor } from '../sections/text-editor.tsx';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';

interface Props {
  readonly place: Place;
  readonly document: SettingsDocument;
  readonly onDirty: (dirty: boolean) => void;
  readonly onReload: () => void;
  /** Called with the response of the service to a change. */
  readonly onNews: (news: SectionNews) => void;
}

/** Edits a configuration in a form or as text. Sends nothing until the user has reviewed the change. */
export function SectionEditor({ place, document, onDirty, onReload, onNews }: Props) {
  const { t } = useTranslation();
  const { section } = document;
  const facts = sectionFacts[section];
  const first = document.state === 'absent' ? emptyBucketForm(section) : document.form;
  const [form, setForm] = useState<BucketForm | null>(first);
  const [text, setText] = useState(document.text);
  const [mode, setMode] = useState<'form' | 'text'>(first === null ? 'text' : 'form');
  const [problems, setProblems] = useState<readonly SettingsProblem[] | null>(null);
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const [editorFocus, setEditorFocus] = useState(0);
  const reviewButton = useRef<HTMLButtonElement>(null);

  const formChanged = form !== null && JSON.stringify(form) !== JSON.stringify(first);
  const changed = mode === 'form' ? formChanged : text !== document.text;
  // Uses a layout effect, so that the dialog asks for confirmation even if Escape follows a change immediately.
  useLayoutEffect(() => onDirty(changed), [changed, onDirty]);

  const prepare = useLatestMutation({
    mutationFn: async (): Promise<{
      readonly text: string;
      readonly problems: readonly SettingsProblem[];
    }> => {
      const next =
        mode === 'form' && form !== null ? (await rpc.bucketSettings.compose({ form })).text : text;
      const checked = await rpc.bucketSettings.check({ bucket: place.bucket, section, text: next });
      return { text: next, problems: checked.problems };
    },
  });
  const review = (): void => {
    if (mode === 'form' && form !== null && isEmptyForm(form) && facts.removable) {
      if (document.state === 'present') setReviewed({ kind: 'clear' });
      return;
    }
    prepare.mutate(undefined, {
      onSuccess(ready) {
        setProblems(ready.problems);
        if (!ready.problems.some(({ severity }) => severity === 'error'))
          setReviewed({ kind: 'save', text: ready.text, form: mode === 'form' ? form : null });
      },
    });
  };
  /** Switches to the text editor with the form's content. The user can switch back until text was typed. */
  const toEditor = async (): Promise<void> => {
    if (form !== null && formChanged && !isEmptyForm(form)) {
      setText((await rpc.bucketSettings.compose({ form })).text);
    } else if (text === '') setText(startText(section, place.bucket));
    setMode('text');
    setEditorFocus((count) => count + 1);
  };
  const check = (): void => prepare.mutate(undefined, { onSuccess: (ready) => setProblems(ready.problems) });

  if (reviewed !== null)
    return (
      <Review
        place={place}
        document={document}
        change={reviewed}
        onBack={() => {
          setReviewed(null);
          requestAnimationFrame(() => reviewButton.current?.focus());
        }}
        onSent={() => {
          onDirty(false);
          onNews('stored');
        }}
        onRefused={() => onNews('refused')}
        onDone={(done) => {
          showNotice({
            title: (say) => say(`buckets.settings.${done}`),
            message: (say) =>
              say('buckets.settings.savedBody', {
                section: say(`buckets.settings.names.${section}`),
                name: place.bucket,
              }),
          });
          onReload();
        }}
        onReload={onReload}
      />
    );

  const wrong = mode === 'form' && form !== null ? formProblem(form) : null;
  return (
    <>
      {section === 'policy' ? <PolicyNote document={document} /> : null}
      {first === null && section !== 'policy' ? (
        <Notice tone="quiet">{t('buckets.settings.formCannot')}</Notice>
      ) : null}
      {first === null ? null : (
        <SegmentedControl
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          value={mode}
          data={[
            { value: 'form', label: t('buckets.settings.formTab') },
            { value: 'text', label: t('buckets.settings.editorTab') },
          ]}
          onChange={(value) => {
            setProblems(null);
            if (value === 'text') void toEditor();
            else {
              setText(document.text);
              setMode('form');
            }
          }}
        />
      )}
      {mode === 'form' && form !== null ? (
        <FormView form={form} onChange={setForm} />
      ) : (
        <TextEditor
          section={section}
          text={text}
          focusSerial={editorFocus}
          problems={problems}
          onChange={(next) => {
            setText(next);
            setProblems(null);
          }}
          onStart={() => {
            setText(startText(section, place.bucket));
            setEditorFocus((count) => count + 1);
          }}
        />
      )}
      {mode === 'form' && problems !== null && problems.length > 0 ? (
        <Notice tone="danger">
          {problems.map(({ code, detail }) => t(`buckets.settings.problem.${code}`, { detail })).join(' ')}
        </Notice>
      ) : null}
      <FailureNotice error={prepare.error} />
      {wrong === null || !formChanged ? null : <Notice tone="warning">{t(wrong)}</Notice>}
      <div className={common.footer}>
        {facts.removable && document.state === 'present' ? (
          <Button data-start variant="subtle" color="red" onClick={() => setReviewed({ kind: 'clear' })}>
            {t('buckets.settings.clear')}
          </Button>
        ) : null}
        {changed ? (
          <Button
            variant="default"
            onClick={() => {
              setForm(first);
              setText(document.text);
              setProblems(null);
            }}
          >
            {t('buckets.settings.discard')}
          </Button>
        ) : null}
        {mode === 'text' ? (
          <Button variant="default" onClick={check} disabled={text.trim() === ''}>
            {t('buckets.settings.check')}
          </Button>
        ) : null}
        <Button
          ref={reviewButton}
          loading={prepare.isPending}
          disabled={!changed || wrong !== null || (mode === 'text' && text.trim() === '')}
          onClick={review}
        >
          {t('buckets.settings.review')}
        </Button>
      </div>
    </>
  );
}

/** Shows whether the stored policy makes the bucket public. */
function PolicyNote({ document }: { readonly document: SettingsDocument }) {
  const { t } = useTranslation();
  const { publicness } = document;
  if (publicness === null) return <Notice tone="quiet">{t('buckets.settings.absent')}</Notice>;
  return (
    <Notice tone={publicness === 'private' ? 'ok' : 'warning'}>
      {t(`buckets.policy.${publicness}`)} {publicness === 'private' ? null : t('buckets.policy.block')}
    </Notice>
  );
}
