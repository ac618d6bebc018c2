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
 * Returns the manifest of the packed program. Everything is bundled, so it only depends on the pinned Node, if one exists for
 * the system. Electron is an optional peer dependency.
 */
export function packageManifest(source: SourceManifest, node: SourceManifest): object {
  return {
    name: source.name,
    version: source.version,
    description: source.description,
    license: source.license,
    // Prevents publishing: the name on the public registry belongs to another project.
    private: true,
    type: 'module',
    main: 'dist/desktop/main.js',
    desktopName: source.desktopName,
    bin: { cooper: 'bin/cooper.mjs' },
    man: ['docs/cooper.1'],
    files: ['bin', 'dist', 'docs'],
    // Lower than the version needed, since the launcher finds a newer Node if the running one is too old.
    engines: { node: '>=20' },
    optionalDependencies: node.optionalDependencies,
    peerDependencies: { electron: source.devDependencies?.['electron'] },
    peerDependenciesMeta: { electron: { optional: true } },
  };
}
