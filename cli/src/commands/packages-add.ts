import { answerOf } from '@muster/client'
import type { PackageUpload } from '@muster/client/upload'
import { type Call, command, dryRunOption } from '../command.ts'
import { describeError } from '../describe-error.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import type { Column } from '../output/output.ts'
import { timeOf } from '../output/times.ts'
import { acceptProposal, type PackageContent } from './proposed-package.ts'
import { addRepositoryPackage, isRepositoryPackage, repositoryOptions } from './repository-package.ts'
import { requireFile, sendFile, throwAsFailure } from './send-file.ts'
import { waitForImport } from './wait-for-import.ts'
import { addWingetManifest, isWingetManifest, wingetOptions } from './winget-package.ts'

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
  summary: 'List files that are being uploaded, or of which no package has been made yet',
  examples: [['muster packages uploads', 'What takes room in the package store']],
  operations: ['listPackageUploads'],
  run: ({ client, output }) => output.rows(columns, client.pages('/api/package-uploads')),
})

export const addPackages = command({
  name: 'packages add',
  summary: 'Upload files, and make packages of them, or add packages from Debian and RPM repositories',
  description:
    'An archive (zip, tar, tar.gz) of the folder of a package is imported at once, and so is a file with --manifest. Installers ' +
    'are read on this computer: the command shows the package that it proposes, and asks. Other files stay uploaded until a package ' +
    'is made of them in the console. An upload that was interrupted continues where it ended. deb:NAME and rpm:NAME need no file: ' +
    'the package manager of each computer installs them from a repository. A winget manifest, or a folder with its files, is converted: ' +
    'the installer beside it is uploaded, or the service downloads it if it may.',
  arguments: [['<files...>', 'Files of this computer, winget manifests or their folders, or deb:NAME or rpm:NAME']],
  options: [
    ['--manifest <file>', 'The manifest (muster-package.json) of the package with this file'],
    ['--set <property=value...>', 'Correct the proposal for an installer; lists and objects as JSON'],
    ['--yes', 'Accept the proposal for an installer without a question, unless a line of it is a guess'],
    ['--overwrite', 'Replace the content of a package that exists'],
    ['--upload-only', 'Import nothing'],
    ...wingetOptions,
    ...repositoryOptions,
    dryRunOption,
  ],
  examples: [
    ['muster packages add firefox-128.zip', 'Uploads and imports the folder of a package'],
    ['muster packages add hello_2.10-3_amd64.deb --yes', 'A package of an installer'],
    ['muster packages add Setup.exe --set name=viewer version=2.4', 'Corrects lines of the proposal'],
    ['muster packages add setup.msi --manifest muster-package.json', 'A package of one file'],
    ['muster packages add 7zip.7zip.installer.yaml --yes', 'A package of a winget manifest'],
    ['muster packages add deb:nginx', 'The newest version that the repositories of a computer have'],
    [
      'muster packages add rpm:nginx --package-version 1.26.3-3 --keep-version',
      'Exactly this version, which updates keep',
    ],
  ],
  operations: [
    'listPackageUploads',
    'createPackageUpload',
    'getPackageUpload',
    'continuePackageUpload',
    'importPackageUpload',
    'addRepositoryPackage',
    'downloadPackage',
    'getPackageImport',
  ],
  async run(call) {
    const { names, options } = call
    if (options.manifest !== undefined && names.length !== 1) throw new UsageError('--manifest is for a single file.')
    if (options.set !== undefined && (names.length !== 1 || options.manifest !== undefined))
      throw new UsageError('--set is for a single file, and not for one with --manifest.')
    if (options.dryRun && !names.every(isRepositoryPackage))
      throw new UsageError('--dry-run is for packages from repositories: a file would have to be uploaded.')
    await addAll(call)
  },
})

/** The files do not depend on each other, so one that cannot be added does not keep out those after it. */
async function addAll(call: Call): Promise<void> {
  const { names, terminal } = call
  const failed: string[] = []
  for (const path of names) {
    try {
      await addOne(call, path)
    } catch (error) {
      if (names.length === 1 || terminal.signal.aborted || error instanceof UsageError) throw error
      failed.push(path)
      terminal.note(`${describeError(error, terminal.environment)}\n`)
    }
  }
  if (failed.length > 0) throw new CommandFailure(`Not added: ${failed.join(', ')}`)
}

async function addOne(call: Call, path: string): Promise<void> {
  if (isRepositoryPackage(path)) return addRepositoryPackage(call, path)
  return (await isWingetManifest(path)) ? addWingetManifest(call, path) : addFile(call, path)
}

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

async function addFile(call: Call, path: string): Promise<void> {
  const { client, options, output, terminal } = call
  const isImported = options.uploadOnly !== true
  // Whatever a person has to decide comes before the upload, which may take long.
  const content = isImported ? await contentOf(call, path) : undefined
  const upload = await sendFile(call, path)
  if (!isImported || !(content || archive.test(upload.fileName)))
    return output.result(upload, `${upload.fileName} is uploaded: ${upload.id}`)
  const { trackingId } = await answerOf(
    client.POST('/api/package-uploads/{id}/package', {
      params: { path: { id: upload.id } },
      body: { overwrite: options.overwrite === true, ...content },
    }),
  )
  const job = await waitForImport({ client, terminal }, trackingId)
  if (job.status === 'Failed') throw new CommandFailure(`The import of ${upload.fileName} failed: ${job.message}`)
  output.result(job, `${upload.fileName} was imported: package ${job.packageId}`)
}

/** What the package contains, if the file does not say it as an archive. */
async function contentOf(call: Call, path: string): Promise<PackageContent | undefined> {
  const { manifest, set } = call.options
  if (manifest !== undefined) return { manifest: await readManifestFile(String(manifest)) }
  // Corrections are for the archive itself, not for a package in it.
  return archive.test(path) && set === undefined ? undefined : proposalFor(call, path)
}

async function proposalFor(call: Call, path: string): Promise<PackageContent | undefined> {
  await requireFile(path)
  return acceptProposal(call, path)
}
