import { z } from 'zod';

const documentSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(z.looseObject({ 'bom-ref': z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

export interface Shipped {
  readonly name: string;
  /** Electron is a tool to npm, and the largest part of what people install. */
  readonly electronVersion: string;
  /** The dependencies of the program by name and version; npm leaves out those that tools have too (builder-util-runtime). */
  readonly direct?: Readonly<Record<string, string>>;
}

/** What npm wrote of the packages, as a list of what is shipped: an application, with Electron in it. https://cyclonedx.org/docs/1.5/json */
export function shippedDocument(npmSbom: string, { name, electronVersion, direct = {} }: Shipped): string {
  const document = documentSchema.parse(JSON.parse(npmSbom));
  const { component } = document.metadata;
  const ref = `electron@${electronVersion}`;
  const named = new Set(document.components.map((one) => one['bom-ref']));
  const leftOut = Object.entries(direct)
    .map(([own, version]) => ({ own, version, place: `${own}@${version}` }))
    .filter(({ place }) => !named.has(place))
    .map(({ own, version, place }) => ({
      'bom-ref': place,
      type: 'library',
      name: own,
      version,
      scope: 'required',
      purl: `pkg:npm/${own.replace(/^@/, '%40')}@${version}`,
    }));
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
      components: [...document.components.filter((one) => one['bom-ref'] !== ref), ...leftOut, electron],
      dependencies: [
        ...document.dependencies
          .filter((one) => one.ref !== ref)
          .map((one) =>
            one.ref === component['bom-ref'] ? { ...one, dependsOn: [...(one.dependsOn ?? []), ref] } : one,
          ),
        { ref, dependsOn: [] },
      ],
    },
    null,
    2,
  );
}
