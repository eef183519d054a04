import { answerOf, type components } from '@muster/client'
import { type Call, changeQuery, type Options, type Parameter } from '../command.ts'
import { CommandFailure, UsageError } from '../errors.ts'
import { waitForImport } from './wait-for-import.ts'

type Source = components['schemas']['PackageSource']

/** Options of a package that comes from a repository. */
export const repositoryOptions: readonly Parameter[] = [
  ['--package-version <version>', 'Exactly this version; without it, the newest'],
  ['--min-version <version>', 'The newest version, and at least this one'],
  ['--keep-version', 'Other updates do not change the version'],
  ['--allow-downgrade', 'Replace a newer version on a computer with the exact version'],
  ['--repository <url>', 'Repository to add to those of a computer, with https or file'],
  ['--suite <name>', 'deb: suite of the repository; ./ if it has none'],
  ['--components <names>', 'deb: components of the suite, separated by commas; default: main'],
  ['--key <file>', 'Public key that signs the repository'],
]

export const isRepositoryPackage = (name: string) => /^(deb|rpm):/.test(name)

/** Makes a package that comes from a repository, and waits until it exists. */
export async function addRepositoryPackage({ client, options, output, terminal }: Call, name: string): Promise<void> {
  if (!isRepositoryPackage(name)) throw new UsageError(`${name} is neither deb:NAME nor rpm:NAME.`)
  const { trackingId } = await answerOf(
    client.POST('/api/packages/from-repository', {
      params: { query: changeQuery(options) },
      body: { source: await toSource(name, options), overwrite: options.overwrite === true },
    }),
  )
  if (options.dryRun) return output.result({ trackingId }, `${name} would be added.`)
  const job = await waitForImport({ client, terminal }, trackingId)
  if (job.status === 'Failed') throw new CommandFailure(`${name} could not be added: ${job.message}`)
  output.result(job, `${name} was added: package ${job.packageId}. It is handed out once it is released.`)
}

async function toSource(name: string, options: Options): Promise<Source> {
  const { packageVersion, minVersion, keepVersion, allowDowngrade } = options
  const repository = await toRepository(name, options)
  return {
    ...{ package: name, allowDowngrade: allowDowngrade === true, timeLimitMinutes: 60 },
    ...(packageVersion !== undefined && { version: String(packageVersion) }),
    ...(minVersion !== undefined && { minVersion: String(minVersion) }),
    ...(keepVersion === true && { keepVersion }),
    ...(repository && { repository }),
  }
}

async function toRepository(name: string, options: Options): Promise<Source['repository']> {
  const { repository: url, suite, components = 'main', key } = options
  if (url === undefined) return undefined
  if (key === undefined) throw new UsageError('--repository needs --key: nothing is installed without a signature.')
  const text = await readKey(String(key))
  if (name.startsWith('rpm:')) return { url: String(url), key: text }
  if (suite === undefined) throw new UsageError('--repository needs --suite for deb packages.')
  const isFlat = String(suite).endsWith('/')
  return {
    ...{ url: String(url), key: text, suite: String(suite) },
    ...(!isFlat && { components: String(components).split(',') }),
  }
}

async function readKey(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`)
  })
}
