import { ordinary, type Provider, bucketBefore, deliveredFrom, type HostForm } from './provider.ts';

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the form of a bucket's website address. `endpointHost` returns the host of the S3 API in its region. */
function website(host: RegExp, endpointHost: (groups: Groups) => string | null): HostForm {
  return { kind: 'website', host, endpointHost };
}

/** Hosts of services without a preset. Sources: each provider's page on endpoints and on static websites. */
const otherHostForms: readonly HostForm[] = [
  // Alibaba OSS
  bucketBefore(String.raw`(?:s3\.)?oss-[a-z0-9-]+\.aliyuncs\.com`),
  // Tencent COS
  website(
    /^(?<bucket>.+)\.cos-website\.(?<region>[a-z0-9-]+)\.myqcloud\.com$/,
    ({ region }) => `cos.${region ?? ''}.myqcloud.com`,
  ),
  bucketBefore(String.raw`cos(?:-internal)?\.[a-z0-9-]+\.(?:myqcloud\.com|tencentcos\.cn)`),
  deliveredFrom(/\.file\.myqcloud\.com$/),
  // Huawei OBS
  website(
    /^(?<bucket>.+)\.obs-website\.(?<region>[a-z0-9-]+)\.(?<domain>myhuaweicloud\.(?:com|eu))$/,
    ({ region, domain }) => `obs.${region ?? ''}.${domain ?? ''}`,
  ),
  bucketBefore(String.raw`obs\.[a-z0-9-]+\.myhuaweicloud\.(?:com|eu)`),
  // Volcengine TOS
  bucketBefore(String.raw`tos-s3-[a-z0-9-]+\.(?:volces|ivolces)\.com`),
  // Scaleway
  website(
    /^(?<bucket>.+)\.s3-website\.(?<region>[a-z]{2}-[a-z]{3})\.scw\.cloud$/,
    ({ region }) => `s3.${region ?? ''}.scw.cloud`,
  ),
  bucketBefore(String.raw`s3\.[a-z]{2}-[a-z]{3}\.scw\.cloud`),
  // Linode (Akamai)
  website(
    /^(?<bucket>.+)\.website-(?<region>[a-z0-9-]+)\.linodeobjects\.com$/,
    ({ region }) => `${region ?? ''}.linodeobjects.com`,
  ),
  bucketBefore(String.raw`[a-z]{2}-[a-z]+-\d+\.linodeobjects\.com`),
  // Hetzner, OVHcloud, Vultr, Exoscale, IBM, Selectel, VK Cloud, Contabo
  bucketBefore(String.raw`(?:fsn1|nbg1|hel1)\.your-objectstorage\.com`),
  bucketBefore(String.raw`s3\.[a-z0-9-]+\.(?:(?:io|perf)\.)?cloud\.ovh\.(?:net|us)`),
  bucketBefore(String.raw`[a-z]{3}\d\.vultrobjects\.com`),
  bucketBefore(String.raw`sos-[a-z0-9-]+\.exo\.io`),
  bucketBefore(String.raw`s3(?:\.private|\.direct)?\.[a-z0-9-]+\.cloud-object-storage\.appdomain\.cloud`),
  bucketBefore(String.raw`s3\.[a-z0-9-]+\.storage\.selcloud\.ru`),
  bucketBefore(String.raw`hb\.(?:[a-z]+-)?(?:ru-)?[a-z]+\.vkcs\.cloud`),
  bucketBefore(String.raw`[a-z0-9]+\.contabostorage\.com`),
  // Supabase: the same host also serves plain downloads. https://supabase.com/docs/guides/storage/s3/authentication
  {
    kind: 'cdn',
    host: /^(?<rest>[a-z0-9]+\.(?:storage\.)?supabase\.(?:co|in))$/,
    apiPath: '/storage/v1/s3',
    path: /^\/storage\/v1\/(?:object|render\/image)\/(?:public|sign|authenticated)\/(?<bucket>[^/]+)(?:\/(?<key>.*))?$/su,
  },
  // Content delivery networks, which may be in front of any service
  deliveredFrom(
    /\.(?:b-cdn\.net|azureedge\.net|azurefd\.net|fastly\.net|akamaized\.net|edgecastcdn\.net|cdn77\.org|kxcdn\.com)$/,
  ),
];

/** Any other service. If its host belongs to a known provider, that provider's quirks apply. */
export const custom: Provider<'custom'> = {
  preset: {
    id: 'custom',
    name: 'Other S3-compatible service',
    endpointTemplate: '',
    regions: [],
    defaultRegion: null,
    addressing: 'auto',
  },
  quirks: ordinary,
  hostForms: otherHostForms,
};
