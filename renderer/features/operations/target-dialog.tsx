import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { CornerLeftUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseAddress } from '../../../shared/keys/address.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Trail } from '../../ui/trail.tsx';
import { placeText, thingsText, type Chosen, type OperationPlace } from './chosen.ts';
import { OperationFooter } from './operation-dialog-parts.tsx';
import type { OperationServices } from './operation-services.ts';
import { beginTransfer } from './start-operation.ts';
import { TargetList } from './target-list.tsx';
import { spotAbove, spotId, trailOf, type TargetSpot } from './target-spot.ts';
import { dropVerdict } from './transfer-plan.ts';
import classes from './operations.module.css';

interface Props {
  readonly from: OperationPlace;
  readonly rows: readonly Chosen[];
  readonly isMove: boolean;
  readonly services: OperationServices;
  readonly onClose: () => void;
}

/** The target of the last copy or move, which the next one often shares. Lasts as long as the window. */
let lastSpot: TargetSpot | null = null;

/** Asks for the target folder, in any connection. */
export function TargetDialog({ from, rows, isMove, services, onClose }: Props) {
  const { t } = useTranslation();
  const [spot, setSpot] = useState<TargetSpot>(lastSpot ?? { kind: 'folder', place: from });
  const [address, setAddress] = useState('');
  const [isBad, setBad] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const id = spotId(spot);
  useEffect(() => {
    // The list keeps focus from one folder to the next.
    focusGrid(list.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- re-run in each folder
  }, [id]);
  const to = spot.kind === 'folder' ? spot.place : null;
  const verdict = to === null ? null : dropVerdict({ from, rows, to, isMove });
  const above = spotAbove(spot);
  const things = thingsText(rows, t);
  const go = (next: TargetSpot | null): void => {
    if (next !== null) setSpot(next);
  };
  const goTyped = (): void => {
    const parsed = parseAddress(address);
    const connectionId = spot.kind === 'connections' ? from.connectionId : idOf(spot);
    setBad(parsed === null);
    if (parsed === null) return;
    const folder = parsed.prefix === '' || parsed.prefix.endsWith('/') ? parsed.prefix : `${parsed.prefix}/`;
    setAddress('');
    setSpot({ kind: 'folder', place: { connectionId, bucket: parsed.bucket, folder } });
  };
  return (
    <Dialog
      onClose={onClose}
      title={t(isMove ? 'operations.target.moveTitle' : 'operations.target.copyTitle', { things })}
      size={620}
    >
      <div className={classes.browser}>
        <div className={classes.bar}>
          <Tooltip label={t('operations.target.up')}>
            <ActionIcon
              aria-label={t('operations.target.up')}
              disabled={above === null}
              onClick={() => go(above)}
            >
              <CornerLeftUp size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Trail
            label={t('operations.target.trail')}
            crumbs={trailOf(spot, services.connectionName, t('operations.target.connections')).map(
              (crumb) => ({
                ...crumb,
                onGo: () => go(crumb.spot),
              }),
            )}
          />
        </div>
        <div
          ref={list}
          className={classes.places}
          data-autofocus
          tabIndex={-1}
          onFocus={(event) => {
            if (event.target === event.currentTarget) focusGrid(list.current);
          }}
        >
          <TargetList key={id} spot={spot} services={services} onGo={go} onUp={() => go(above)} />
        </div>
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
        <p className={classes.quiet} role="status">
          {verdict?.kind === 'refused'
            ? t(`operations.refused.${verdict.why}`)
            : to === null
              ? t('operations.target.hint')
              : t('operations.target.goes', { place: placeText(to) })}
        </p>
        <OperationFooter>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            disabled={to === null || verdict?.kind === 'refused'}
            onClick={() => {
              if (to === null) return;
              lastSpot = spot;
              onClose();
              beginTransfer({ from, rows, to, isMove }, services, t);
            }}
          >
            {t(isMove ? 'operations.target.moveHere' : 'operations.target.copyHere')}
          </Button>
        </OperationFooter>
      </div>
    </Dialog>
  );
}

function focusGrid(within: HTMLElement | null): void {
  within?.querySelector<HTMLElement>('[role="grid"]')?.focus();
}

function idOf(spot: Exclude<TargetSpot, { kind: 'connections' }>): string {
  return spot.kind === 'buckets' ? spot.connectionId : spot.place.connectionId;
}
