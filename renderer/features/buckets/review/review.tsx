import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BucketForm } from '../../../../shared/models/bucket-forms.ts';
import {
  sectionFacts,
  type SettingsDocument,
  type SettingsOutcome,
} from '../../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useRestoreSettings } from '../../../rpc/use-restore-settings.ts';
import { ChangeView, StoredDifferences } from '../../../ui/differences/stored-differences.tsx';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';

export type Reviewed =
  /** The values in the form, or null if the text was edited. */
  | { readonly kind: 'save'; readonly text: string; readonly form: BucketForm | null }
  | { readonly kind: 'clear' };

interface Props {
  readonly place: Place;
  readonly document: SettingsDocument;
  readonly change: Reviewed;
  readonly onBack: () => void;
  readonly onDone: (result: 'saved' | 'cleared' | 'restored') => void;
  /** Called when the request has been sent. Leaving then loses no input. */
  readonly onSent: () => void;
  /** Called if the service does not implement the change. */
  readonly onRefused: () => void;
  readonly onReload: () => void;
}

/**
 * Shows the changes of a save, and saves after confirmation. Warns if another program has changed the settings, or if the service
 * stored something else.
 */
export function Review({ place, document, change, onBack, onDone, onSent, onRefused, onReload }: Props) {
  const { t } = useTranslation();
  // The document with which the change is compared: the loaded one, or a later one that another program saved.
  const [base, setBase] = useState(document);
  const { section } = document;
  const isClear = change.kind === 'clear';
  const isOvertaken = base !== document;
  const saveButton = useRef<HTMLButtonElement>(null);
  // Focuses the save button, since the button that opened the review was removed.
  useEffect(() => saveButton.current?.focus(), []);
  const [stored, setStored] = useState<SettingsOutcome | null>(null);
  const restore = useRestoreSettings({ ...place, section }, (outcome) => {
    if (outcome.kind === 'saved') onDone('restored');
    else if (outcome.kind === 'changed') onReload();
    else setStored(outcome);
  });
  const save = useLatestMutation({
    mutationFn: async () => {
      const at = { ...place, section, expected: base.fingerprint };
      return change.kind === 'clear'
        ? await rpc.bucketSettings.clear(at)
        : await rpc.bucketSettings.save({ ...at, text: change.text });
    },
    onSuccess(outcome) {
      if (outcome.kind === 'changed') {
        setBase(outcome.document);
        return;
      }
      onSent();
      if (outcome.kind === 'saved') onDone(isClear ? 'cleared' : 'saved');
      else setStored(outcome);
    },
    onError(thrown) {
      if (appErrorOf(thrown).code === 'unsupported') onRefused();
    },
  });
  const error = save.error === null ? null : appErrorOf(save.error);
  if (stored !== null)
    return (
      <StoredDifferences
        outcome={stored}
        restore={restore}
        permission={sectionFacts[section].permissions.write}
        onKeep={onReload}
      />
    );
  return (
    <>
      {isOvertaken ? (
        <Notice tone="warning">
          <strong>{t('buckets.settings.save.changedTitle')}</strong>
          <p>{t('buckets.settings.save.changedBody')}</p>
        </Notice>
      ) : (
        <Text fw={600} size="sm">
          {t(isClear ? 'buckets.settings.save.clearTitle' : 'buckets.settings.save.title')}
        </Text>
      )}
      {isClear ? <p>{t('buckets.settings.save.clearBody')}</p> : null}
      <Change before={base.text} change={change} />
      {error === null ? null : (
        <>
          {error.outcome === 'unknown' ? (
            <Notice tone="warning">{t('buckets.settings.save.unclear')}</Notice>
          ) : null}
          <ErrorNotice error={error} permission={sectionFacts[section].permissions.write} />
        </>
      )}
      <div className={common.footer}>
        <Button variant="default" onClick={isOvertaken ? onReload : onBack} data-autofocus>
          {t(isOvertaken ? 'buckets.settings.save.takeTheirs' : 'buckets.settings.save.back')}
        </Button>
        <Button
          ref={saveButton}
          {...(isClear || isOvertaken ? { color: 'red' } : {})}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t(
            isOvertaken
              ? 'buckets.settings.save.saveOver'
              : isClear
                ? 'buckets.settings.save.clear'
                : 'buckets.settings.save.submit',
          )}
        </Button>
      </div>
    </>
  );
}

/** Shows a change line by line. A change of versioning is shown in words, with the lines under Details. */
function Change({ before, change }: { readonly before: string; readonly change: Reviewed }) {
  const { t } = useTranslation();
  const view = <ChangeView before={before} after={change.kind === 'clear' ? '' : change.text} />;
  const form = change.kind === 'save' ? change.form : null;
  if (form?.section !== 'versioning') return view;
  const status = form.status === 'enabled' ? 'enabled' : 'suspended';
  return (
    <>
      <p>{t(`buckets.versioning.willBe.${status}`)}</p>
      <details>
        <summary className={common.quiet}>{t('buckets.settings.save.details')}</summary>
        {view}
      </details>
    </>
  );
}
