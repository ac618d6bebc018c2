import { Suspense, useState } from 'react';
import { z } from 'zod/mini';
import { assertNever } from '../../../../shared/assert-never.ts';
import { rpc } from '../../../rpc/client.ts';
import { awsCommand, type CommandPlace, curlCommand, publicAddress, rcloneCommand } from './copy-as.ts';
import { putOnClipboard } from './folder-actions.ts';
import type { FolderPlace } from '../rows/place.ts';
import { useKeptView } from '../../../rpc/use-kept-view.ts';
import { lazyComponent } from '../../../ui/lazy-part.tsx';

const addressesSchema = z.record(z.string(), z.string());
const none: Record<string, string> = {};

/**
 * Returns the base address at which a bucket's objects are public, for example on a CDN, without a trailing slash. Stored per
 * bucket.
 */
function usePublicBase({ connectionId, bucket }: Pick<FolderPlace, 'connectionId' | 'bucket'>) {
  const { value, set } = useKeptView<Record<string, string>>('public-addresses', addressesSchema, none);
  const name = `${connectionId}/${bucket}`;
  return {
    base: value[name] ?? null,
    /** Stores the public address. With null, removes it. */
    set: (base: string | null) => {
      const { [name]: _before, ...others } = value;
      set(base === null ? others : { ...others, [name]: base });
    },
  };
}

const PublicAddressDialog = lazyComponent(
  async () => (await import('./public-address-dialog.tsx')).PublicAddressDialog,
);

export const copyForms = ['publicUrl', 'aws', 'rclone', 'curl'] as const;
export type CopyForm = (typeof copyForms)[number];

const linkSeconds = 24 * 60 * 60;

export type CopyAs = ReturnType<typeof useCopyAs>;

/** Returns functions that copy an object as a command for another program, or as its public address. */
export function useCopyAs(place: FolderPlace) {
  const { connectionId, bucket } = place;
  const { base, set } = usePublicBase(place);
  /**
   * The open dialog. With a `key`, that object's address is copied after the base is saved. With null, only the base is changed.
   */
  const [dialogRequest, setDialogRequest] = useState<{ readonly key: string | null } | null>(null);

  const commandPlace = async (): Promise<CommandPlace> => {
    const [{ platform }, connections] = await Promise.all([rpc.app.info(), rpc.connections.list()]);
    const connection = connections.find(({ id }) => id === connectionId);
    if (connection === undefined) throw new Error('The connection of this folder is gone.');
    return { platform, connection, bucket };
  };
  const lineOf = async (form: Exclude<CopyForm, 'publicUrl'>, key: string): Promise<string | null> => {
    const from = await commandPlace();
    switch (form) {
      case 'aws':
        return awsCommand(from, key);
      case 'rclone':
        return rcloneCommand(from, key);
      case 'curl': {
        const link = await rpc.links.create({
          connectionId,
          bucket,
          key,
          expiresInSeconds: linkSeconds,
          kind: 'get',
          disposition: null,
          contentType: null,
        });
        return curlCommand(from.platform, link.url, key);
      }
      default:
        return assertNever(form);
    }
  };
  return {
    copy: (form: CopyForm, key: string): void => {
      if (form !== 'publicUrl') putOnClipboard(() => lineOf(form, key));
      else if (base === null) setDialogRequest({ key });
      else putOnClipboard(() => publicAddress(base, key));
    },
    /** Opens the dialog to change the public address, or null if the bucket has none. */
    changePublic: base === null ? null : () => setDialogRequest({ key: null }),
    /** The dialog that asks for the public address; the caller renders it. */
    dialog:
      dialogRequest === null ? null : (
        <Suspense fallback={null}>
          <PublicAddressDialog
            bucket={bucket}
            base={base}
            onSave={(next) => {
              set(next);
              const { key } = dialogRequest;
              if (next !== null && key !== null) putOnClipboard(() => publicAddress(next, key));
            }}
            onClose={() => setDialogRequest(null)}
          />
        </Suspense>
      ),
  };
}
