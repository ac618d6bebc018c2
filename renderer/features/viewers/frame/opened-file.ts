import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { ObjectRef } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { objectSource, type PreviewedObject } from './object-source.ts';
import type { ViewedFile, ViewedObject } from './viewer.ts';

/** Creates the file that viewers get for an object. */
export function openedFile(
  ref: ObjectRef,
  object: PreviewedObject,
  rest: Pick<ViewedObject, 'refresh' | 'memory'>,
): ViewedFile {
  const opened = objectSource(ref, object, {
    preview: async (again) => await rpc.objects.preview(again),
    fetch: async (path, init) => await fetch(path, init),
  });
  return {
    name: lastSegment(ref.key),
    contentType: object.contentType,
    contentEncoding: object.contentEncoding,
    source: opened.source,
    object: {
      ref,
      etag: object.etag,
      ...rest,
      media: object.isPlayable ? { now: opened.address, renew: opened.renew } : null,
    },
  };
}
