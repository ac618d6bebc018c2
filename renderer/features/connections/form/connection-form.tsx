import { Box, Button, Collapse, Group, Stack, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Lock } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { DiscardQuestion } from '../../../ui/dialog/ask-to-confirm.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import common from '../../../ui/common.module.css';
import classes from '../forms.module.css';
import type { Fix } from '../model/explain-test.ts';
import { AdvancedFields } from './form-advanced.tsx';
import { AuthFields } from './form-auth.tsx';
import { closeConnectionDialog, type DialogRequest } from '../model/connection-dialog-store.ts';
import {
  draftFromConnection,
  draftFromProfile,
  hasAdvanced,
  newDraft,
  nothingStored,
  storedSecretsOf,
  toInput,
  withRegion,
  type ConnectionDraft,
} from '../model/connection-form-model.ts';
import { useSaveConnection } from '../model/connection-queries.ts';
import { connectionProblems } from '../model/form-validation.ts';
import { TestPanel } from '../check/test-panel.tsx';
import { useConnectionTest, type ConnectionTest } from '../check/use-connection-test.ts';
import { advancedFields, focusField, useConnectionForm, type ConnectionForm } from './use-connection-form.ts';
import { PlaceFields, StartField } from './form-place.tsx';

interface Props {
  readonly request: Extract<DialogRequest, { mode: 'create' | 'edit' }>;
  /** Null for a new connection. */
  readonly connection: Connection | null;
}

function initialDraft({ request, connection }: Props) {
  if (connection !== null) return draftFromConnection(connection);
  if (request.mode === 'create' && request.profile !== undefined) return draftFromProfile(request.profile);
  return newDraft(request.mode === 'create' ? (request.provider ?? 'aws') : 'custom');
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
export function ConnectionFormDialog(props: Props) {
  const { request, connection } = props;
  const { t } = useTranslation();
  const save = useSaveConnection();
  // Reads the connection once, when the dialog opens. A change in another window thus does not overwrite typed text.
  const [initial] = useState(() => initialDraft(props));
  const [stored] = useState(() => (connection === null ? nothingStored : storedSecretsOf(connection)));
  const connectionId = connection?.id ?? null;
  const form = useConnectionForm(initial, stored);
  const test = useConnectionTest();
  const [advanced, setAdvanced] = useState(() => hasAdvanced(initial));
  /** True if the user tried to close with unsaved changes. */
  const [leaving, setLeaving] = useState(false);
  const close = (): void => (form.dirty ? setLeaving(true) : closeConnectionDialog());
  const testing = test.run.state !== 'idle';
  useFreshTest(form, test);

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
  // A remedy chosen in the test dialog. The form opens with it applied.
  const fix = request.mode === 'edit' ? request.fix : undefined;
  const applied = useRef(false);
  useEffect(() => {
    if (fix === undefined || applied.current) return;
    applied.current = true;
    apply(fix);
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready()) return;
    save.mutate(
      { connectionId, input: toInput(form.draft) },
      {
        onSuccess(saved) {
          closeConnectionDialog();
          request.onSaved?.(saved);
        },
      },
    );
  };

  const title =
    connection === null
      ? t('connectionForm.form.createTitle')
      : t('connectionForm.form.editTitle', { name: connection.name });
  return (
    <Dialog onClose={close} title={title} size={640} closeOnClickOutside={!form.dirty}>
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
        <FailureNotice error={save.error} />
        {leaving ? (
          <div className={joinClasses(common.wrap, common.lineAbove, classes.footer)}>
            <DiscardQuestion onStay={() => setLeaving(false)} onDiscard={closeConnectionDialog} />
          </div>
        ) : (
          <div className={joinClasses(common.wrap, common.lineAbove, classes.footer)}>
            <TestButton
              test={test}
              onStart={() => ready() && test.start(connectionId, toInput(form.draft))}
            />
            <span role="status" className={common.bad}>
              {form.problemCount > 0 ? t('connectionForm.form.fixFirst', { count: form.problemCount }) : ''}
            </span>
            <span className={common.fill} />
            <Button variant="default" onClick={close}>
              {t('connectionForm.form.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t(connectionId === null ? 'connectionForm.form.add' : 'connectionForm.form.save')}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
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
