import { Box, Button, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { ConnectionInput } from '../../../../shared/models/connection.ts';
import { orpc } from '../../../rpc/client.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { DiscardQuestion } from '../../../ui/dialog/ask-to-confirm.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import common from '../../../ui/common.module.css';
import classes from '../forms.module.css';
import type { Fix } from '../model/explain-test.ts';
import { AdvancedFields } from './form-advanced.tsx';
import { AuthFields } from './form-auth.tsx';
import {
  hasAdvanced,
  toInput,
  withRegion,
  type ConnectionDraft,
  type StoredSecrets,
} from '../model/connection-form-model.ts';
import { connectionProblems } from '../model/form-validation.ts';
import { TestPanel } from '../check/test-panel.tsx';
import { useConnectionTest, type ConnectionTest } from '../check/use-connection-test.ts';
import { advancedFields, focusField, useConnectionForm, type ConnectionForm } from './use-connection-form.ts';
import { PlaceFields, StartField } from './form-place.tsx';

interface Props {
  /** Null for a new connection. */
  readonly connectionId: string | null;
  readonly initial: ConnectionDraft;
  readonly stored: StoredSecrets;
  /** A remedy chosen in the test dialog. The form opens with it applied. */
  readonly fix?: Fix;
  readonly saving: boolean;
  readonly saveError: AppError | null;
  readonly onSave: (input: ConnectionInput) => void;
  /** True if the user tried to close with unsaved changes. */
  readonly leaving: boolean;
  readonly onStay: () => void;
  readonly onDiscard: () => void;
  readonly onCancel: () => void;
  readonly onDirty: (dirty: boolean) => void;
}

/** Removes the results of the test when the settings no longer match the tested settings. */
function useFreshTest({ draft }: ConnectionForm, { run, clear }: ConnectionTest): void {
  const settings = JSON.stringify(toInput(draft));
  const tested = 'input' in run ? JSON.stringify(run.input) : null;
  useEffect(() => {
    if (tested !== null && tested !== settings) clear();
  }, [tested, settings, clear]);
}

/** The form of one connection, with the test of its settings. */
export function ConnectionFormView(props: Props) {
  const { connectionId, initial, stored, fix, saving, saveError } = props;
  const { leaving, onSave, onStay, onDiscard, onCancel, onDirty } = props;
  const { t } = useTranslation();
  const form = useConnectionForm(initial, stored);
  const test = useConnectionTest();
  const [advanced, setAdvanced] = useState(() => hasAdvanced(initial));
  const testing = test.run.state !== 'idle';
  useFreshTest(form, test);

  // Uses a layout effect, so that the dialog asks for confirmation even if Escape follows a change immediately.
  useLayoutEffect(() => onDirty(form.dirty), [form.dirty, onDirty]);
  const aside = useRef<HTMLDivElement>(null);
  const running = test.run.state === 'running';
  useEffect(() => {
    if (running) aside.current?.scrollIntoView({ block: 'start' });
    else aside.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [running]);

  const ready = () => {
    const first = form.check();
    if (first !== null && advancedFields.has(first)) setAdvanced(true);
    return first === null;
  };
  const apply = (remedy: Fix) => {
    if (remedy.kind === 'add-ca' || remedy.kind === 'check-proxy') setAdvanced(true);
    if (remedy.kind !== 'use-region') return focusField(fieldOf(remedy, form));
    const next = withRegion(form.draft, remedy.region);
    form.change(() => next);
    if (Object.keys(connectionProblems(next, stored)).length === 0) test.start(connectionId, toInput(next));
  };
  const applied = useRef(false);
  useEffect(() => {
    if (fix === undefined || applied.current) return;
    applied.current = true;
    apply(fix);
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready()) onSave(toInput(form.draft));
  };

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="lg">
        <Stack gap="sm">
          <PlaceFields form={form} />
          <AuthFields form={form} />
          <StartField form={form} />
          <UnstyledButton
            className={common.row}
            fz="sm"
            fw={500}
            style={{ alignSelf: 'flex-start' }}
            aria-expanded={advanced}
            onClick={() => setAdvanced((open) => !open)}
          >
            {advanced ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
            {t('connectionForm.form.advanced')}
          </UnstyledButton>
          <Collapse expanded={advanced} keepMounted={false}>
            <AdvancedFields form={form} />
          </Collapse>
          <SecretsNote authKind={form.draft.authKind} />
        </Stack>
        {testing ? (
          <Box className={joinClasses(common.lineAbove, classes.aside)} pt="md" miw={0} ref={aside}>
            <TestPanel test={test} onFix={apply} />
          </Box>
        ) : null}
      </Stack>
      {saveError === null ? null : <ErrorNotice error={saveError} />}
      {leaving ? (
        <div className={joinClasses(common.wrap, common.lineAbove, classes.footer)}>
          <DiscardQuestion onStay={onStay} onDiscard={onDiscard} />
        </div>
      ) : (
        <div className={joinClasses(common.wrap, common.lineAbove, classes.footer)}>
          <TestButton test={test} onStart={() => ready() && test.start(connectionId, toInput(form.draft))} />
          <span role="status" className={common.bad}>
            {form.problemCount > 0 ? t('connectionForm.form.fixFirst', { count: form.problemCount }) : ''}
          </span>
          <span className={common.fill} />
          <Button variant="default" onClick={onCancel}>
            {t('connectionForm.form.cancel')}
          </Button>
          <Button type="submit" loading={saving}>
            {t(connectionId === null ? 'connectionForm.form.add' : 'connectionForm.form.save')}
          </Button>
        </div>
      )}
    </form>
  );
}

function fieldOf(fix: Exclude<Fix, { kind: 'use-region' }>, form: ConnectionForm) {
  switch (fix.kind) {
    case 'add-ca':
      return 'caPem';
    case 'set-start':
      return 'start';
    case 'retype-keys':
      return form.draft.accessKeyId === '' ? 'accessKeyId' : 'secretAccessKey';
    case 'check-endpoint':
      return 'endpoint';
    default:
      return 'proxyUrl';
  }
}

interface TestButtonProps {
  readonly test: ReturnType<typeof useConnectionTest>;
  readonly onStart: () => void;
}

function TestButton({ test, onStart }: TestButtonProps) {
  const { t } = useTranslation();
  if (test.run.state === 'running') {
    return (
      <Button variant="default" onClick={test.stop}>
        {t('connectionForm.form.stopTest')}
      </Button>
    );
  }
  return (
    <Button variant="default" onClick={onStart}>
      {t(test.run.state === 'idle' ? 'connectionForm.form.test' : 'connectionForm.form.testAgain')}
    </Button>
  );
}

/** Says how secrets are stored. Shown next to the fields for secrets. */
export function SecretsNote({ authKind }: { readonly authKind: ConnectionDraft['authKind'] }) {
  const { t } = useTranslation();
  const info = useQuery(orpc.app.info.queryOptions());
  if (authKind !== 'keys' || info.data === undefined) return null;
  return (
    <Group wrap="nowrap" align="start" gap="xs" c="dimmed" fz="xs">
      <Lock size={14} aria-hidden className={common.fixed} style={{ marginTop: 2 }} />
      <span>{t(`connectionForm.form.secretsKept.${info.data.secretProtection}`)}</span>
    </Group>
  );
}
