export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The manifest of the packed program: everything is bundled, so it needs no package; the pinned Node comes along where one
 * exists for the system, and Electron is used where it is installed beside it.
 */
export function packageManifest(own: SourceManifest, node: SourceManifest): object {
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    license: own.license,
    // The name on the public registry is not ours to take: the file is installed, not published.
    private: true,
    type: 'module',
    main: 'dist/desktop/main.js',
    bin: { cooper: 'bin/cooper.mjs' },
    man: ['docs/cooper.1'],
    files: ['bin', 'dist', 'docs'],
    // npm refuses nothing by it, and the launcher brings a newer Node where this one is too old.
    engines: { node: '>=20' },
    optionalDependencies: node.optionalDependencies,
    peerDependencies: { electron: own.devDependencies?.['electron'] },
    peerDependenciesMeta: { electron: { optional: true } },
  };
}
