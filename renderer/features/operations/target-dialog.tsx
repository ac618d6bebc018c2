import { Box, Button, Stack, TextInput } from '@mantine/core';
import { CornerLeftUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAddress } from '../../../shared/keys/s3-link.ts';
import { Dialog, DialogFooter } from '../../ui/dialog/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { Trail } from '../../ui/trail.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { useConnectionNameById } from '../connections/index.ts';
import type { OperationDialogProps } from './operation-dialog-store.ts';
import { beginTransfer } from './start-operation.ts';
import { connectionIdOf, spotAbove, spotId, trailOf, type TargetSpot, TargetList } from './target-list.tsx';
import { dropVerdict, placeText, countText, type OperationPlace } from './chosen.ts';
import classes from './operations.module.css';

interface TargetDialogProps {
  readonly onClose: () => void;
  readonly title: string;
  /** The connection in which a typed address opens while connections are listed. Null if no address can be typed there. */
  readonly connectionId: string | null;
  readonly start: TargetSpot;
  /** Returns the reason why this folder cannot be the target, or null if it can. */
  readonly refusal: (to: OperationPlace) => string | null;
  readonly confirm: string;
  readonly onChoose: (to: OperationPlace) => void;
}

/** Asks for the folder to copy or move objects to. */
export function TransferTargetDialog({ request, services, onClose }: OperationDialogProps<'target'>) {
  const { from, rows, isMove } = request;
  const { t } = useTranslation();
  return (
    <TargetDialog
      onClose={onClose}
      title={t(isMove ? 'operations.target.moveTitle' : 'operations.target.copyTitle', {
        things: countText(rows, t),
      })}
      connectionId={from.connectionId}
      start={{ kind: 'folder', place: from }}
      refusal={(to) => {
        const verdict = dropVerdict({ from, rows, to, isMove });
        return verdict.kind === 'refused' ? t(`operations.refused.${verdict.why}`) : null;
      }}
      confirm={t(isMove ? 'operations.target.moveHere' : 'operations.target.copyHere')}
      onChoose={(to) => beginTransfer({ from, rows, to, isMove }, services, t)}
    />
  );
}

/** Asks for the folder to upload local files to. */
export function UploadTargetDialog({ request, onClose }: OperationDialogProps<'upload-target'>) {
  const { rows, onChoose } = request;
  const { t } = useTranslation();
  return (
    <TargetDialog
      onClose={onClose}
      onChoose={onChoose}
      title={t('files.uploadTitle', { count: rows.length })}
      connectionId={null}
      start={{ kind: 'connections' }}
      refusal={() => null}
      confirm={t('files.uploadHere')}
    />
  );
}

/** The target of the last copy or move, suggested for the next. Kept until the window closes. */
let lastSpot: TargetSpot | null = null;

/** Asks for the target folder in any connection. */
function TargetDialog(props: TargetDialogProps) {
  const { title, start, refusal, confirm, onChoose, onClose } = props;
  const { t } = useTranslation();
  const { connectionName } = useStable({ connectionName: useConnectionNameById() });
  const [spot, setSpot] = useState<TargetSpot>(lastSpot ?? start);
  const [address, setAddress] = useState('');
  const [isBad, setBad] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const id = spotId(spot);
  useEffect(() => {
    // Keeps focus in the list when another folder opens.
    focusGrid(list.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- re-run in each folder
  }, [id]);
  const to = spot.kind === 'folder' ? spot.place : null;
  const refused = to === null ? null : refusal(to);
  const above = spotAbove(spot);
  const go = (next: TargetSpot | null): void => {
    if (next !== null) setSpot(next);
  };
  const goTyped = (): void => {
    const parsed = parseAddress(address);
    const connectionId = spot.kind === 'connections' ? props.connectionId : connectionIdOf(spot);
    setBad(parsed === null || connectionId === null);
    if (parsed === null || connectionId === null) return;
    const folder = parsed.prefix === '' || parsed.prefix.endsWith('/') ? parsed.prefix : `${parsed.prefix}/`;
    setAddress('');
    setSpot({ kind: 'folder', place: { connectionId, bucket: parsed.bucket, folder } });
  };
  return (
    <Dialog onClose={onClose} title={title} size={620}>
      <Stack gap={10} h="min(540px, var(--cooper-dialog-body-height))" mih={240}>
        <div className={common.row}>
          <IconButton
            label={t('operations.target.up')}
            icon={CornerLeftUp}
            disabled={above === null}
            onClick={() => go(above)}
          />
          <Trail
            label={t('operations.target.trail')}
            crumbs={trailOf(spot, connectionName, t('operations.target.connections')).map((crumb) => ({
              ...crumb,
              onGo: () => go(crumb.spot),
            }))}
          />
        </div>
        <Box
          ref={list}
          className={joinClasses(common.framed, common.clip)}
          pos="relative"
          flex={1}
          mih={120}
          data-autofocus
          tabIndex={-1}
          onFocus={(event) => {
            if (event.target === event.currentTarget) focusGrid(list.current);
          }}
        >
          <TargetList key={id} spot={spot} connectionName={connectionName} onGo={go} onUp={() => go(above)} />
        </Box>
        <TextInput
          aria-label={t('operations.target.address')}
          placeholder={t('operations.target.address')}
          value={address}
          error={isBad ? t('operations.target.addressBad') : null}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            setBad(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || address === '') return;
            event.preventDefault();
            goTyped();
          }}
        />
        <p className={joinClasses(common.hint, common.breaks, classes.quiet)} role="status">
          {refused ??
            (to === null
              ? t('operations.target.hint')
              : t('operations.target.goes', { place: placeText(to) }))}
        </p>
        <DialogFooter onCancel={onClose}>
          <Button
            disabled={to === null || refused !== null}
            onClick={() => {
              if (to === null) return;
              lastSpot = spot;
              onClose();
              onChoose(to);
            }}
          >
            {confirm}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}

function focusGrid(within: HTMLElement | null): void {
  within?.querySelector<HTMLElement>('[role="grid"]')?.focus();
}
