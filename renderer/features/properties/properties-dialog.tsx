import { Button, Stack, Tabs, Text } from '@mantine/core';
import { useCallback, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import { resetsOf, type ChangePatch, type SelectionItem } from '../../../shared/models/operations.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DiscardQuestion } from '../../ui/dialog/ask-to-confirm.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { AclTab } from './acl-tab.tsx';
import { ArchiveTab } from './archive-tab.tsx';
import { ChangeNote } from './cost-notes.tsx';
import { GeneralTab } from './general-tab.tsx';
import { LockTab } from './lock-tab.tsx';
import { NamedRows } from './named-rows.tsx';
import { formOf, patchOf, propertyProblems, type Form } from './property-form-model.ts';
import { Reading, Unsupported } from './tab-parts.tsx';
import { useStorageClasses, type PropertiesOf, useProperties, type ReadObjects } from './use-properties.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';
import classes from './properties.module.css';
import { showStartedJob } from '../transfers/index.ts';

/** Shows and changes the properties of the selected objects. A job performs the changes, shown in Transfers. */
export function PropertiesDialog({ request: of, onClose }: DialogProps<PropertiesOf>) {
  const { t } = useTranslation();
  const properties = useProperties(of);
  const only = of.keys.length === 1 && of.prefixes.length === 0 ? of.keys[0] : undefined;
  const [isDirty, setDirty] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const close = useCallback(() => (isDirty ? setLeaving(true) : onClose()), [isDirty, onClose]);
  const failure = only === undefined ? null : (properties.read?.[0]?.error ?? null);
  return (
    <Dialog
      onClose={close}
      closeOnClickOutside={!isDirty}
      size="min(720px, 96vw)"
      title={
        only === undefined ? (
          t('properties.titleMany', { count: of.keys.length + of.prefixes.length })
        ) : (
          <>
            <span>{t('properties.title', { name: '' })}</span>
            <KeyText name={lastSegment(only)} />
          </>
        )
      }
    >
      {properties.error !== null ? (
        <FailureNotice error={properties.error} onRetry={properties.reload} />
      ) : failure !== null ? (
        <ErrorNotice error={failure} permission="s3:GetObject" onRetry={properties.reload} />
      ) : properties.read === null ? (
        <Reading />
      ) : (
        <Content
          of={of}
          only={only}
          properties={properties}
          onClose={onClose}
          onCancel={close}
          onDirty={setDirty}
          isLeaving={isLeaving}
          onStay={() => setLeaving(false)}
        />
      )}
    </Dialog>
  );
}

interface ContentProps {
  readonly of: PropertiesOf;
  readonly only: string | undefined;
  readonly properties: ReadObjects;
  readonly onClose: () => void;
  /** Closes the dialog, after a confirmation if changes would be lost. */
  readonly onCancel: () => void;
  readonly onDirty: (isDirty: boolean) => void;
  /** True if the user tried to close with unsaved changes. */
  readonly isLeaving: boolean;
  readonly onStay: () => void;
}

function Content(props: ContentProps) {
  const { of, only, properties, onClose, onCancel, onDirty, isLeaving, onStay } = props;
  const { t } = useTranslation();
  const { objects } = properties;
  const [form, setForm] = useState<Form>(() => formOf(objects));
  const { connectionId, bucket } = of;
  const storageClasses = useStorageClasses(connectionId, objects);
  const newClass = form.fields.storageClass?.trim() ?? '';
  const patch = patchOf(form);
  const [problem] = propertyProblems(form);
  const isDirty = patch !== null;
  // Uses a layout effect, so that the dialog asks for confirmation even if Escape follows a change immediately.
  useLayoutEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const change = useLatestMutation({
    mutationFn: async (requestedPatch: ChangePatch) =>
      await rpc.operations.change({ connectionId, bucket, items: itemsOf(of), patch: requestedPatch }),
    onSuccess: ({ jobId }) => {
      onClose();
      showStartedJob(jobId);
    },
  });
  const object = only === undefined ? null : { connectionId, bucket, key: only };
  const missing = objects.reduce((sum, { missingMetadata }) => sum + missingMetadata, 0);
  const apply = (): void => {
    if (patch !== null && problem === undefined && !change.isPending) change.mutate(patch);
  };
  const tagsMissing = objects.length > 0 && objects.every(({ tags }) => tags === null);
  return (
    <Stack gap="sm">
      <ReadNote of={of} properties={properties} />
      {missing === 0 ? null : <Text size="sm">{t('properties.missing', { count: missing })}</Text>}
      <Tabs defaultValue="general" keepMounted={false}>
        <Tabs.List mb="md">
          {(['general', 'metadata', 'tags', 'access', 'lock', 'archive'] as const).map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`properties.tabs.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralTab
            objects={objects}
            storageClasses={storageClasses.offered}
            fields={form.fields}
            onFields={(fields) => setForm({ ...form, fields })}
            onEnter={apply}
          />
        </Tabs.Panel>
        <Tabs.Panel value="metadata">
          <NamedRows
            kind="metadata"
            rows={form.metadata}
            onChange={(metadata) => setForm({ ...form, metadata })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="tags">
          {tagsMissing ? (
            <TagsMissing properties={properties} />
          ) : (
            <NamedRows kind="tags" rows={form.tags} onChange={(tags) => setForm({ ...form, tags })} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="access">
          {object === null ? <Unsupported text={t('properties.onlyOne')} /> : <AclTab object={object} />}
        </Tabs.Panel>
        <Tabs.Panel value="lock">
          {object === null ? <Unsupported text={t('properties.onlyOne')} /> : <LockTab object={object} />}
        </Tabs.Panel>
        <Tabs.Panel value="archive">
          <ArchiveTab of={of} objects={objects} onDone={properties.reload} />
        </Tabs.Panel>
      </Tabs>
      <div className={classes.footer}>
        {patch === null ? null : <Resets patch={patch} />}
        {newClass !== '' && storageClasses.isUncertain(newClass) ? (
          <Text size="sm" role="status">
            {t('properties.classUnknown', { name: newClass })}
          </Text>
        ) : null}
        {newClass === '' ? null : <ChangeNote of={of} storageClass={newClass} />}
        <FailureNotice error={change.error} />
        {isLeaving ? <DiscardQuestion onStay={onStay} onDiscard={onClose} /> : null}
        <div className={common.footer} hidden={isLeaving}>
          <Text size="sm" c={problem === undefined ? 'dimmed' : 'red'} data-start role="status">
            {problem === undefined
              ? patch === null
                ? t('properties.nothing')
                : null
              : t(`properties.${problem}`)}
          </Text>
          <Button variant="default" onClick={onCancel}>
            {t(patch === null ? 'properties.close' : 'properties.cancel')}
          </Button>
          <Button
            disabled={patch === null || problem !== undefined}
            loading={change.isPending}
            onClick={apply}
          >
            {only === undefined
              ? t('properties.applyMany', { count: of.keys.length + of.prefixes.length })
              : t('properties.apply')}
          </Button>
        </div>
      </div>
    </Stack>
  );
}

/** Says to which objects the values apply, if more objects were selected than read. */
function ReadNote({ of, properties }: { readonly of: PropertiesOf; readonly properties: ReadObjects }) {
  const { t } = useTranslation();
  const { read, objects } = properties;
  const unread = (read?.length ?? 0) - objects.length;
  const notes = [
    of.keys.length > (read?.length ?? 0)
      ? t('properties.sample', { count: objects.length, read: formatCount(objects.length) })
      : null,
    of.prefixes.length > 0 ? t('properties.folders') : null,
    unread > 0 ? t('properties.unread', { count: unread }) : null,
  ].filter((note) => note !== null);
  if (notes.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {notes.join(' ')}
    </Text>
  );
}

function TagsMissing({ properties }: { readonly properties: ReadObjects }) {
  const { t } = useTranslation();
  const error = properties.objects[0]?.tagsError ?? null;
  if (error === null || error.code === 'unsupported')
    return <Unsupported text={t('properties.notSupported.tags')} />;
  return <ErrorNotice error={error} permission="s3:GetObjectTagging" onRetry={properties.reload} />;
}

/** Warns about properties that the change resets, before the job starts. */
function Resets({ patch }: { readonly patch: ChangePatch }) {
  const { t } = useTranslation();
  const resets = resetsOf(patch);
  if (resets.length === 0) return null;
  return (
    <section className={classes.resets} aria-label={t('properties.resets.title')}>
      <p>{t('properties.resets.body')}</p>
      <ul>
        {resets.map((reset) => (
          <li key={reset}>{t(`properties.resets.${reset}`)}</li>
        ))}
      </ul>
    </section>
  );
}

function itemsOf({ keys, prefixes }: PropertiesOf): SelectionItem[] {
  return [
    ...keys.map((key) => ({ kind: 'key' as const, key })),
    ...prefixes.map((prefix) => ({ kind: 'prefix' as const, prefix })),
  ];
}
