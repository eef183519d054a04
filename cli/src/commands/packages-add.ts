import { answerOf } from '@muster/client'
import type { PackageUpload } from '@muster/client/upload'
import { type Call, command, dryRunOption } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import type { Column } from '../output/output.ts'
import { progressOn } from '../output/progress.ts'
import { timeOf } from '../output/times.ts'
import { addRepositoryPackage, isRepositoryPackage, repositoryOptions } from './repository-package.ts'
import { waitForImport } from './wait-for-import.ts'

const columns: readonly Column<PackageUpload>[] = [
  ['file', ({ fileName }) => fileName],
  ['state', ({ state }) => state],
  ['received', ({ received }) => received],
  ['size', ({ size }) => size],
  ['by', ({ createdBy }) => createdBy],
  ['expires', ({ expiresAtUtc }) => timeOf(expiresAtUtc)],
  ['id', ({ id }) => id],
]

export const listUploads = command({
  name: 'packages uploads',
  summary: 'List files that are being uploaded, or of which no package was made yet',
  examples: [['muster packages uploads', 'What takes room in the package store']],
  operations: ['listPackageUploads'],
  run: ({ client, output }) => output.rows(columns, client.pages('/api/package-uploads')),
})

export const addPackages = command({
  name: 'packages add',
  summary: 'Upload files, and make packages of them, or add packages from Debian and RPM repositories',
  description:
    'An archive (zip, tar, tar.gz) of the folder of a package is imported at once, and so is a file with --manifest. Other files ' +
    'stay uploaded until a package is made of them in the console. An upload that was interrupted continues where it ended. deb:NAME and ' +
    'rpm:NAME need no file: the package manager of each computer installs them from a repository.',
  arguments: [['<files...>', 'Files of this computer, or deb:NAME or rpm:NAME']],
  options: [
    ['--manifest <file>', 'The manifest (muster-package.json) of the package with this file'],
    ['--overwrite', 'Replace the content of a package that exists'],
    ['--upload-only', 'Import nothing'],
    ...repositoryOptions,
    dryRunOption,
  ],
  examples: [
    ['muster packages add firefox-128.zip', 'Uploads and imports the folder of a package'],
    ['muster packages add setup.msi --manifest muster-package.json', 'A package of one file'],
    ['muster packages add deb:nginx', 'The newest version that the repositories of a computer have'],
    ['muster packages add rpm:nginx --package-version 1.26.3-3 --keep-version', 'Exactly this version, which updates keep'],
  ],
  operations: [
    'listPackageUploads',
    'createPackageUpload',
    'getPackageUpload',
    'continuePackageUpload',
    'importPackageUpload',
    'addRepositoryPackage',
    'getPackageImport',
  ],
  async run(call) {
    const { names, options } = call
    if (options.manifest !== undefined && names.length !== 1) throw new UsageError('--manifest is for a single file.')
    const manifest = options.manifest === undefined ? undefined : await readManifestFile(String(options.manifest))
    if (options.dryRun && !names.every(isRepositoryPackage))
      throw new UsageError('--dry-run is for packages from repositories: a file would have to be uploaded.')
    for (const path of names)
      await (isRepositoryPackage(path) ? addRepositoryPackage(call, path) : addFile(call, path, manifest))
  },
})

async function readManifestFile(path: string): Promise<Record<string, unknown>> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(path, 'utf8').catch(throwAsFailure(path))
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    throw new CommandFailure(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}

const archive = /\.(zip|tar|tgz|tar\.gz)$/i

async function addFile(call: Call, path: string, manifest: Record<string, unknown> | undefined): Promise<void> {
  const { client, options, output, terminal } = call
  const upload = await sendFile(call, path)
  if (options.uploadOnly === true || !(manifest || archive.test(upload.fileName)))
    return output.result(upload, `${upload.fileName} is uploaded: ${upload.id}`)
  const { trackingId } = await answerOf(
    client.POST('/api/package-uploads/{id}/package', {
      params: { path: { id: upload.id } },
      body: { overwrite: options.overwrite === true, ...(manifest && { manifest }) },
    }),
  )
  const job = await waitForImport({ client, terminal }, trackingId)
  if (job.status === 'Failed') throw new CommandFailure(`The import of ${upload.fileName} failed: ${job.message}`)
  output.result(job, `${upload.fileName} was imported: package ${job.packageId}`)
}

async function sendFile({ client, terminal }: Call, path: string): Promise<PackageUpload> {
  // Loaded only here: other commands need none of it.
  const { uploadFile } = await import('@muster/client/upload')
  const { openAsBlob } = await import('node:fs')
  const { stat } = await import('node:fs/promises')
  const { basename, resolve } = await import('node:path')
  const found = await stat(path).catch(throwAsFailure(path))
  if (!found.isFile()) throw new CommandFailure(`${path} is not a file.`)
  if (found.size === 0) throw new CommandFailure(`${path} is empty.`)
  const name = basename(resolve(path))
  const progress = progressOn(terminal)
  try {
    return await uploadFile(
      client,
      { name, content: await openAsBlob(path), fingerprint: `${name}-${found.size}-${Math.floor(found.mtimeMs)}` },
      {
        signal: terminal.signal,
        onProgress: (done, total) =>
          progress.show({ done: toMegabytes(done), total: toMegabytes(total), text: `MB of ${name}` }),
      },
    )
  } finally {
    progress.end()
  }
}

const toMegabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

function throwAsFailure(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new CommandFailure(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    )
  }
}
