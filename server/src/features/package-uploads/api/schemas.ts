import { nameFault } from '@muster/package-format'
import { closed, enumOf, Instant, nullable, sha256, Type, text, Uuid } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'

const byteCount = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: 2 ** 50, examples: [1_048_576], description })

const fileName = text(255, 'setup.msi', 'Name of the file, without a path')

const fingerprint = text(
  500,
  'setup.msi-1048576-1773480413000',
  'Text by which the client finds the upload again to continue it, such as name, size and time of the file',
)

export const PackageUpload = closed(
  {
    id: Uuid,
    fileName,
    size: byteCount(1, 'Size of the whole file in bytes'),
    received: byteCount(0, 'Bytes that are stored. The upload continues there.'),
    sha256: nullable(sha256('Hash of the file; null until it is complete')),
    state: enumOf(['Receiving', 'Ready', 'Importing'], {
      title: 'PackageUploadState',
      description: 'Ready: the file is complete, and a package can be made of it',
    }),
    fingerprint: nullable(fingerprint),
    createdBy: text(255, 'packager', 'Name of the principal that uploads the file'),
    isOwn: Type.Boolean({ examples: [true], description: 'Whether it is the principal of this request' }),
    createdAtUtc: Instant,
    expiresAtUtc: { ...Instant, description: 'When the upload is deleted, unless it continues or is imported before' },
    importTrackingId: nullable({ ...Uuid, description: 'The last import of the upload' }),
    importFault: nullable(text(1_000, 'The folder has no muster-package.json.', 'Why that import failed, if it did')),
  },
  { title: 'PackageUpload' },
)

export const NewPackageUpload = closed(
  {
    fileName,
    size: byteCount(1, 'Size of the whole file in bytes'),
    fingerprint: Type.Optional(fingerprint),
    sha256: Type.Optional(sha256('Hash that the file must have. Another content is discarded when it is complete.')),
  },
  { title: 'NewPackageUpload' },
)

const manifestExample = {
  name: 'greeting',
  version: '1.2.0',
  kind: 'software',
  operatingSystems: ['Linux'],
  commands: { install: { argv: ['sh', 'setup.msi'] } },
}

const overwrite = Type.Optional(
  Type.Boolean({
    default: false,
    examples: [false],
    description:
      'Replace the content of an existing package with the same name, version, revision and operating systems. ' +
      'Changed content clears Ready-to-Install.',
  }),
)

export const PackageOfUpload = closed(
  {
    manifest: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        examples: [manifestExample],
        description:
          'The content of `muster-package.json` for a package with this file, as the schema of manifests describes it. Without ' +
          'it, the file is an archive (zip, tar or tar.gz) of the folder of a package, with its manifest and signature.',
      }),
    ),
    fileName: Type.Optional({
      ...fileName,
      description: 'With `manifest`: the name of the file in the package. By default, that of the upload.',
    }),
    overwrite,
  },
  { title: 'PackageOfUpload' },
)

export const PackageDownloadRequest = closed(
  {
    url: text(2_048, 'https://downloads.example.org/setup.msi', 'Address of the file'),
    sha256: sha256('Hash that the file must have'),
    fileName: { ...fileName, description: 'The name of the file in the package' },
    manifest: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      examples: [manifestExample],
      description: 'The content of `muster-package.json`, as the schema of manifests describes it',
    }),
    overwrite,
  },
  { title: 'PackageDownloadRequest' },
)

/** A name is never a path: the file becomes part of the folder of a package under it. */
export function requireFileName({ fileName }: { fileName: string }): void {
  const fault = nameFault(fileName)
  if (fault) throw invalidPart('body', 'fileName', fault)
}
