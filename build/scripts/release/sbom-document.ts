import { z } from 'zod';

const documentSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

export interface Shipped {
  readonly name: string;
  /** The version of Electron, which is shipped although npm lists it as a development dependency. */
  readonly electronVersion: string;
  /** The program's packages in the lockfile. npm's list omits those that development tools also need. */
  readonly installed?: readonly InstalledPackage[];
  /** The names of direct dependencies. */
  readonly direct?: readonly string[];
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

const inModules = 'node_modules/';

/** Returns the packages that `npm ci --omit=dev` installs from the lockfile on every platform. */
export function installedPackages(lockfile: string): readonly InstalledPackage[] {
  return Object.entries(lockSchema.parse(JSON.parse(lockfile)).packages).flatMap(([place, entry]) => {
    const isTool = entry.dev === true || entry.devOptional === true;
    if (isTool || entry.optional === true || entry.link === true || entry.version === undefined) return [];
    const start = place.lastIndexOf(inModules);
    return start < 0 ? [] : [{ name: place.slice(start + inModules.length), version: entry.version }];
  });
}

/** Turns npm's package list into an SBOM of the shipped application, including Electron. https://cyclonedx.org/docs/1.5/json */
export function shippedDocument(
  npmSbom: string,
  { name, electronVersion, installed = [], direct = [] }: Shipped,
): string {
  const document = documentSchema.parse(JSON.parse(npmSbom));
  const { component } = document.metadata;
  const ref = `electron@${electronVersion}`;
  const listedRefs = new Set(document.components.map((listed) => listed['bom-ref']));
  const leftOut = installed
    .map((found) => ({ ...found, place: `${found.name}@${found.version}` }))
    .filter(({ place }) => !listedRefs.has(place))
    .map(({ name: packageName, version, place }) => ({
      'bom-ref': place,
      type: 'library',
      name: packageName,
      version,
      scope: 'required',
      purl: `pkg:npm/${packageName.replace(/^@/, '%40')}@${version}`,
    }));
  const directNames = new Set(direct);
  const added = [ref, ...leftOut.filter((left) => directNames.has(left.name)).map((left) => left['bom-ref'])];
  const electron = {
    'bom-ref': ref,
    type: 'framework',
    name: 'electron',
    version: electronVersion,
    scope: 'required',
    purl: `pkg:npm/${ref}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  return JSON.stringify(
    {
      ...document,
      metadata: { ...document.metadata, component: { ...component, type: 'application', name } },
      components: [...document.components.filter((listed) => listed['bom-ref'] !== ref), ...leftOut, electron],
      dependencies: [
        ...document.dependencies
          .filter((dependency) => dependency.ref !== ref)
          .map((dependency) =>
            dependency.ref === component['bom-ref']
              ? { ...dependency, dependsOn: [...new Set([...(dependency.dependsOn ?? []), ...added])] }
              : dependency,
          ),
        { ref, dependsOn: [] },
        ...leftOut.map((left) => ({ ref: left['bom-ref'], dependsOn: [] })),
      ],
    },
    null,
    2,
  );
}
