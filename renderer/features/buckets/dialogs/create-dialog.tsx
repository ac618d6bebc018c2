import { Autocomplete, Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showNotice } from '../../../ui/notices/notices.tsx';
import type { AppError } from '../../../../shared/errors.ts';
import { bucketNameProblem, hasCertificateTrouble } from '../../../../shared/keys/bucket-name.ts';
import type { Place } from '../../../../shared/models/objects.ts';
import { orpc, rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog, DialogFooter, Notice } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import type { BucketDialogProps } from './bucket-dialog-store.ts';
import type { Connection } from '../../../../shared/models/connection.ts';
import { presetById } from '../../../../shared/providers/providers.ts';

interface Regions {
  readonly offered: readonly string[];
  /** The initial value of the field. With '', the service chooses the region. */
  readonly first: string;
}

// Sources: https://developers.cloudflare.com/r2/reference/data-location/ and https://cloud.google.com/storage/docs/locations
const r2Hints = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc'];
const gcsLocations = [
  'US',
  'EU',
  'ASIA',
  'us-east1',
  'us-central1',
  'europe-west1',
  'europe-west3',
  'asia-east1',
];

/**
 * Returns the known regions in which a connection can create buckets; the field accepts any text. Empty if the endpoint decides
 * the region (Wasabi, B2, DigitalOcean, Ceph, MinIO).
 */
function createRegions(connection: Connection | undefined): Regions {
  const preset = presetById(connection?.provider ?? 'custom');
  switch (preset.id) {
    case 'aws':
      return { offered: preset.regions, first: connection?.region ?? preset.defaultRegion ?? '' };
    case 'r2':
      return { offered: r2Hints, first: '' };
    case 'gcs':
      return { offered: gcsLocations, first: '' };
    default:
      return { offered: [], first: '' };
  }
}

/** The form that creates a bucket. Validates the name while it is typed. */
export function CreateDialog({ request, onClose }: BucketDialogProps<'create'>) {
  const { connectionId, onCreated } = request;
  const { t } = useTranslation();
  const connections = useQuery(orpc.connections.list.queryOptions()).data ?? [];
  const [chosen, setChosen] = useState(connectionId);
  const [name, setName] = useState('');
  const [region, setRegion] = useState<string | null>(null);
  const [objectLock, setObjectLock] = useState(false);
  const [tried, setTried] = useState(false);
  const connection = connections.find(({ id }) => id === chosen) ?? connections[0];
  const regions = createRegions(connection);
  const typedRegion = region ?? regions.first;
  const problem = bucketNameProblem(name);
  // Shows no problem while the unfinished name can still become valid.
  const isEarly = problem === 'too-short' || (problem === 'edges' && /^[a-z0-9]/.test(name));
  const shown = problem !== null && (tried || (!isEarly && name !== '')) ? problem : null;

  const create = useLatestMutation({
    mutationFn: async (place: Place) => {
      await rpc.bucketSettings.create({
        connectionId: place.connectionId,
        bucket: {
          name: place.bucket,
          region: typedRegion.trim() === '' ? null : typedRegion.trim(),
          objectLock,
        },
      });
      return place;
    },
    onSuccess(place) {
      showNotice({ message: (say) => say('buckets.create.done', { name: place.bucket }) });
      onClose();
      onCreated(place);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (problem !== null || connection === undefined) return;
    create.mutate({ connectionId: connection.id, bucket: name });
  };

  return (
    <Dialog onClose={onClose} title={t('buckets.create.title')} size={520}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {connectionId === null ? (
            <Select
              label={t('buckets.create.connection')}
              data={connections.map((option) => ({ value: option.id, label: option.name }))}
              value={connection?.id ?? null}
              allowDeselect={false}
              onChange={setChosen}
            />
          ) : null}
          <TextInput
            data-autofocus
            label={t('buckets.create.name')}
            description={t('buckets.create.nameHint')}
            value={name}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            error={shown === null ? null : t(`buckets.create.problems.${shown}`)}
            onChange={(event) => {
              setName(event.currentTarget.value);
              create.reset();
            }}
          />
          {problem === null && hasCertificateTrouble(name) ? (
            <Notice tone="warning">{t('buckets.create.dots')}</Notice>
          ) : null}
          <Autocomplete
            size="xs"
            label={t('buckets.create.region')}
            description={t('buckets.create.regionHint')}
            placeholder={t('buckets.create.regionPlaceholder')}
            data={[...regions.offered]}
            value={typedRegion}
            onChange={setRegion}
          />
          <Checkbox
            label={t('buckets.create.objectLock')}
            description={t('buckets.create.objectLockHint')}
            checked={objectLock}
            onChange={(event) => setObjectLock(event.currentTarget.checked)}
          />
          {create.error === null ? null : <Refusal error={appErrorOf(create.error)} name={name} />}
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={create.isPending}>
              {t('buckets.create.submit')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

function Refusal({ error, name }: { readonly error: AppError; readonly name: string }) {
  const { t } = useTranslation();
  if (error.reason === 'bucket-yours' || error.s3?.code === 'BucketAlreadyOwnedByYou')
    return <Notice tone="warning">{t('buckets.create.yours', { name })}</Notice>;
  if (error.reason === 'bucket-exists')
    return <Notice tone="warning">{t('buckets.create.taken', { name })}</Notice>;
  return (
    <>
      {error.outcome === 'unknown' ? <Notice tone="warning">{t('buckets.create.unclear')}</Notice> : null}
      <ErrorNotice error={error} permission="s3:CreateBucket" />
    </>
  );
}
