import { ActionIcon, Group, Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { ObjectRef, Place, Preview } from '../../../shared/models/objects.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { DiscardQuestion } from '../../ui/dialog/ask-to-confirm.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { downloadObject } from '../transfers/index.ts';
import { FileView } from './file-view.tsx';
import { UnsavedGuardProvider } from './frame/viewer-hooks.ts';
import { openedFile, type PreviewedObject } from './frame/object-source.ts';
import type { ViewedObject } from './frame/viewer.ts';
import { PreviewGate } from './frame/no-preview.tsx';
import classes from './viewers.module.css';

export interface PreviewDialogProps {
  readonly place: Place;
  /** Null while closed. */
  readonly objectKey: string | null;
  /** The version to show, or absent for the current version. */
  readonly versionId?: string;
  /** Moves to the previous or next object. Null if there is no other object. */
  readonly onStep: ((by: -1 | 1) => void) | null;
  readonly onClose: () => void;
}

/** Moves focus away from content that is about to be removed, so that the next key still reaches the dialog. */
function focusStage(): void {
  document.activeElement?.closest<HTMLElement>('[data-autofocus]')?.focus();
}

/** Shows the content of an object, but never executes it. */
export function PreviewDialog({ place, objectKey, versionId, onStep, onClose }: PreviewDialogProps) {
  const { t } = useTranslation();
  const name = objectKey === null ? '' : lastSegment(objectKey);
  const [discard, setDiscard] = useState<(() => void) | null>(null);
  /** True after an arrow key moved to another object, which the user did not choose explicitly. */
  const [isStepped, setStepped] = useState(false);
  if (objectKey === null && isStepped) setStepped(false);
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const leave = (go: () => void): void => {
    if (discard === null) go();
    else setLeaving(() => go);
  };
  const guard = useStable({ register: (next: (() => void) | null) => setDiscard(() => next), leave });
  const step =
    onStep === null
      ? null
      : (by: -1 | 1) => {
          leave(() => {
            focusStage();
            setStepped(true);
            onStep(by);
          });
        };
  const press = (event: KeyboardEvent): void => {
    const scrolls = event.target instanceof Element && event.target.closest('[data-keeps-arrows]') !== null;
    if (step === null || scrolls || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    step(event.key === 'ArrowLeft' ? -1 : 1);
  };
  return (
    <Modal
      opened={objectKey !== null}
      onClose={() => leave(onClose)}
      size="min(1100px, 92vw)"
      title={
        <Text component="span" display="block" fz={14} fw={600} lh={1.5} truncate>
          <span className="visually-hidden">{t('viewers.title', { name: '' })}</span>
          <KeyText name={name} />
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      onKeyDown={press}
    >
      {/* The focus starts on the content, not on a button. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys of the elements inside */}
      <div className={classes.stage} tabIndex={-1} data-autofocus onKeyDown={enterContent}>
        {objectKey === null ? null : (
          <UnsavedGuardProvider value={guard}>
            <Content
              place={place}
              objectKey={objectKey}
              versionId={versionId}
              isOpenedByUser={!isStepped}
              key={objectKey}
            />
          </UnsavedGuardProvider>
        )}
      </div>
      {leaving === null ? (
        step === null ? null : (
          <Steps onStep={step} />
        )
      ) : (
        <div className={classes.question}>
          <DiscardQuestion
            onStay={() => setLeaving(null)}
            onDiscard={() => {
              discard?.();
              setDiscard(null);
              setLeaving(null);
              leaving();
            }}
          />
        </div>
      )}
    </Modal>
  );
}

/** Moves focus into the content when a key is pressed that scrolls or moves within the content. */
function enterContent(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (
    target !== currentTarget ||
    !['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].includes(key)
  )
    return;
  const content = currentTarget.querySelector<HTMLElement>(
    '[data-keeps-arrows][tabindex="0"], [data-keeps-arrows] :is([tabindex="0"], audio, video)',
  );
  if (content === null) return;
  event.preventDefault();
  content.focus();
}

function Steps({ onStep }: { readonly onStep: (by: -1 | 1) => void }) {
  const { t } = useTranslation();
  return (
    <Group gap={4} wrap="nowrap" pos="absolute" right={12} bottom={4}>
      <ActionIcon aria-label={t('viewers.previous')} onClick={() => onStep(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('viewers.next')} onClick={() => onStep(1)}>
        <ChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

interface ContentProps {
  readonly place: Place;
  readonly objectKey: string;
  readonly versionId: string | undefined;
  /** True if the user opened this object directly, instead of stepping to it from another object. */
  readonly isOpenedByUser: boolean;
}

function Content({ place, objectKey, versionId, isOpenedByUser }: ContentProps) {
  const { connectionId, bucket } = place;
  const ref = useMemo<ObjectRef>(
    () => ({ connectionId, bucket, key: objectKey, ...(versionId === undefined ? {} : { versionId }) }),
    [connectionId, bucket, objectKey, versionId],
  );
  const queryClient = useQueryClient();
  const [memory] = useState(() => new Map<string, unknown>());
  // Tickets are short-lived, so each preview requests a new one.
  const options = orpc.objects.preview.queryOptions({
    input: ref,
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  const query = useQuery(options);
  return (
    <PreviewGate<PreviewedObject> query={query} isOpenedByUser={isOpenedByUser}>
      {(data) => {
        const identity = identityOf(data);
        const refresh = async (): Promise<void> => {
          const latest = await rpc.objects.preview(ref);
          if (identityOf(latest) !== identity) queryClient.setQueryData(options.queryKey, latest);
        };
        return <ObjectView objectRef={ref} object={data} refresh={refresh} memory={memory} key={identity} />;
      }}
    </PreviewGate>
  );
}

/** Returns a key that identifies a version of an object by its ETag, size and date. */
function identityOf(preview: Preview): string {
  return preview.kind === 'none'
    ? preview.why
    : JSON.stringify([preview.etag, preview.sizeBytes, preview.lastModified]);
}

interface ObjectViewProps extends Pick<ViewedObject, 'refresh' | 'memory'> {
  readonly objectRef: ObjectRef;
  readonly object: PreviewedObject;
}

function ObjectView({ objectRef, object, refresh, memory }: ObjectViewProps) {
  const { t } = useTranslation();
  const [file] = useState(() => openedFile(objectRef, object, { refresh, memory }));
  return <FileView file={file} onDownload={() => downloadObject(objectRef, t)} />;
}
