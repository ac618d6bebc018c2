import type { ComponentType } from 'react';
import type { ObjectRef } from '../../../../shared/models/objects.ts';
import type { RangeSource } from './range-source.ts';

/** The shown content: an object, or an entry inside one. */
export interface ViewedFile {
  /** The last segment of the key, or the name of the entry. */
  readonly name: string;
  readonly contentType: string | null;
  /** The Content-Encoding, or null if the bytes are not encoded. */
  readonly contentEncoding: string | null;
  readonly source: RangeSource;
  /** The object, or null for content inside an object. */
  readonly object: ViewedObject | null;
}

export interface ViewedObject {
  readonly ref: ObjectRef;
  readonly etag: string | null;
  /** Checks that the object is still the shown version; otherwise replaces it with the new one. One request. */
  readonly refresh: () => Promise<void>;
  /** State that a viewer keeps when another version replaces the shown one. */
  readonly memory: Map<string, unknown>;
  /** The address for the browser's media player, which reads by ranges. Null if the browser does not play this type. */
  readonly media: MediaAddress | null;
}

export interface MediaAddress {
  /** Returns the address, which is valid for some minutes after its last use. */
  readonly now: () => string;
  /** Gets a new address for the same version. Throws if the object has changed. */
  readonly renew: () => Promise<string>;
}

/** The facts by which a viewer is chosen. */
export interface ViewerFacts {
  /** In lower case. */
  readonly name: string;
  /** The type without parameters, in lower case, or '' for a type without information. */
  readonly type: string;
  readonly encoding: string | null;
  /** The first bytes of the file (`sniffedBytes` of them, or all), or null before they are needed. */
  readonly head: Uint8Array | null;
}

/** The files that a viewer opens. The registry uses the first viewer that matches. */
export interface ViewerFiles {
  readonly types?: readonly (string | RegExp)[];
  /** Without the dot: `png`, `tar.gz`. */
  readonly extensions?: readonly string[];
  /** Whole names in lower case: `dockerfile`, `app.log.1`. */
  readonly names?: RegExp;
  /** Fallback for unknown types and extensions. */
  readonly startsWith?: (head: Uint8Array) => boolean;
  /** True if the viewer decodes Content-Encoding, or says why it cannot. */
  readonly undoesCodings?: true;
}

export type ViewerLimit =
  /** Reads only what is visible. */
  | { readonly kind: 'none' }
  /** Needs all bytes, up to the size in the user's settings. */
  | { readonly kind: 'settings' }
  | { readonly kind: 'bytes'; readonly sizeBytes: number }
  /** Opens files of any size, and shows this much of their beginning. */
  | { readonly kind: 'first'; readonly sizeBytes: number };

export interface ViewerProps {
  readonly file: ViewedFile;
}

/** A viewer for one kind of content, in its own file. The component is loaded on first use. */
export interface Viewer {
  readonly id: string;
  readonly opens: ViewerFiles;
  readonly limit: ViewerLimit;
  /** True for a text format that the file's name suggests. Such a viewer takes precedence over the type `text/plain`. */
  readonly isText?: boolean;
  readonly component: ComponentType<ViewerProps>;
}
