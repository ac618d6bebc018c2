export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly desktopName?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the manifest of the packed program. Everything is bundled, so it depends on no package but the pinned Node, where one
 * exists for the system. Electron is used if it is installed next to it.
 */
export function packageManifest(source: SourceManifest, node: SourceManifest): object {
  return {
    name: source.name,
    version: source.version,
    description: source.description,
    license: source.license,
    // The name on the public registry is not ours: the file is installed, never published.
    private: true,
    type: 'module',
    main: 'dist/desktop/main.js',
    desktopName: source.desktopName,
    bin: { cooper: 'bin/cooper.mjs' },
    man: ['docs/cooper.1'],
    files: ['bin', 'dist', 'docs'],
    // npm does not enforce it, and the launcher uses a newer Node if this one is too old.
    engines: { node: '>=20' },
    optionalDependencies: node.optionalDependencies,
    peerDependencies: { electron: source.devDependencies?.['electron'] },
    peerDependenciesMeta: { electron: { optional: true } },
  };
}
