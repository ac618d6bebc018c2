import { Button, Select, Stack, Text } from '@mantine/core';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import { cannedAcls, type CannedAcl, type Grantee } from '../../../shared/models/properties.ts';
import type { EnglishMessages } from '../../../shared/messages/english.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { Reading, Unsupported } from './tab-parts.tsx';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';
import classes from './properties.module.css';

const warnings: Partial<Record<CannedAcl, keyof EnglishMessages['properties']['acl'] & `public${string}`>> = {
  'public-read': 'publicWarning',
  'public-read-write': 'publicWriteWarning',
};

/** Shows the access list of one object, if the service supports it. */
export function AclTab({ object }: { readonly object: ObjectRef }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<CannedAcl | null>(null);
  const acl = useQuery({
    queryKey: ['properties.acl', object],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => await rpc.properties.acl(object, { signal }),
  });
  const change = useLatestMutation({
    mutationFn: async (canned: CannedAcl) => await rpc.properties.setAcl({ ...object, canned }),
    onSuccess: async () => {
      showNotice({ message: (say) => say('properties.acl.done'), staysMs: 2500 });
      setChosen(null);
      await acl.refetch();
    },
  });
  const { data, error } = acl;
  if (error !== null && !acl.isFetching) {
    const failed = appErrorOf(error);
    if (failed.code === 'unsupported') return <Unsupported text={t('properties.notSupported.acl')} />;
    return <ErrorNotice error={failed} permission="s3:GetObjectAcl" onRetry={() => void acl.refetch()} />;
  }
  if (data === undefined) return <Reading />;
  const value = chosen ?? data.canned;
  const warning = chosen === null ? undefined : warnings[chosen];
  return (
    <Stack gap="sm">
      <dl className={classes.facts}>
        <div>
          <dt>{t('properties.acl.owner')}</dt>
          <dd>{data.owner ?? t('properties.notEncrypted')}</dd>
        </div>
      </dl>
      <table className={classes.grants}>
        <caption className="visually-hidden">{t('properties.acl.grants')}</caption>
        <tbody>
          {data.grants.map(({ grantee, permission }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- the list is never reordered
            <tr key={at}>
              <td>{granteeText(grantee, t)}</td>
              <td>{permissionText(permission, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Select
        label={t('properties.acl.canned')}
        description={t('properties.acl.help')}
        placeholder={t('properties.acl.cannedOther')}
        allowDeselect={false}
        value={value}
        data={cannedAcls.map((canned) => ({ value: canned, label: t(`properties.acl.sets.${canned}`) }))}
        onChange={setChosen}
      />
      {warning === undefined ? null : (
        <Text size="sm" c="red" role="alert">
          {t(`properties.acl.${warning}`)}
        </Text>
      )}
      <FailureNotice error={change.error} permission="s3:PutObjectAcl" />
      <div className={common.footer}>
        <Button
          disabled={chosen === null || chosen === data.canned}
          loading={change.isPending}
          onClick={() => {
            if (chosen !== null) change.mutate(chosen);
          }}
        >
          {t('properties.acl.apply')}
        </Button>
      </div>
    </Stack>
  );
}

function granteeText(grantee: Grantee, t: TFunction): string {
  return grantee.kind === 'other' ? grantee.name : t(`properties.acl.grantees.${grantee.kind}`);
}

const namedPermissions = ['FULL_CONTROL', 'READ', 'WRITE', 'READ_ACP', 'WRITE_ACP'] as const;

function permissionText(permission: string, t: TFunction): string {
  const named = namedPermissions.find((known) => known === permission);
  return named === undefined ? permission : t(`properties.acl.permissions.${named}`);
}
