import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

export interface Licence {
  /** `name version`. */
  readonly package: string;
  /** The licence in its manifest: `MIT`. */
  readonly name: string;
  readonly text: string;
}

const marker = '/node_modules/';

/** Records the bundled packages. `folders` returns all of them once the builds have ended. */
export function bundledPackages(): {
  readonly plugin: () => Plugin;
  readonly folders: () => readonly string[];
} {
  const folders = new Set<string>();
  return {
    plugin: () => ({
      name: 'cooper:licences',
      generateBundle: (_options, bundle) => {
        for (const output of Object.values(bundle)) {
          if (output.type !== 'chunk') continue;
          for (const id of output.moduleIds) {
            const folder = packageFolder(id);
            if (folder !== null) folders.add(folder);
          }
        }
      },
    }),
    folders: () => [...folders].toSorted(),
  };
}

/** Returns the folder of the package with this module, or null for the program's own modules. */
export function packageFolder(moduleId: string): string | null {
  const id = moduleId.replace(/^\0/, '').split('?', 1)[0]?.replaceAll('\\', '/') ?? '';
  const at = id.lastIndexOf(marker);
  if (at < 0) return null;
  const [first = '', second = ''] = id.slice(at + marker.length).split('/');
  if (first === '' || first.startsWith('.')) return null;
  return id.slice(0, at + marker.length) + (first.startsWith('@') ? `${first}/${second}` : first);
}

/** Reads a package's licence. Throws if the package states none, so that it cannot be shipped unnoticed. */
export function licenceOf(folder: string): Licence {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly name?: string;
    readonly version?: string;
    readonly license?: string;
    readonly author?: string | { readonly name?: string };
  };
  const texts = readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name))
    .toSorted()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  const title = `${manifest.name ?? path.basename(folder)} ${manifest.version ?? ''}`.trim();
  if (texts.length === 0 && manifest.license === undefined) {
    throw new Error(`${title} is bundled with Cooper and states no licence.`);
  }
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const short = `Licence: ${manifest.license ?? ''}${author === undefined ? '' : `\nCopyright: ${author}`}`;
  return {
    package: title,
    name: manifest.license ?? 'see the text',
    text: texts.length === 0 ? short : texts.join('\n\n'),
  };
}

/** Joins the licences into one text. Packages with an identical licence text share one copy. */
export function licenceText(licences: readonly Licence[]): string {
  const byText = Map.groupBy(licences, ({ text }) => text.replaceAll('\r\n', '\n'));
  const parts = [...byText].map(([text, sharing]) => {
    const names = [...new Set(sharing.map((licence) => `${licence.package} (${licence.name})`))];
    return `${names.join('\n')}\n\n${text}\n`;
  });
  return `Cooper contains these packages.\n\n${parts.join(`\n${'-'.repeat(78)}\n\n`)}`;
}
