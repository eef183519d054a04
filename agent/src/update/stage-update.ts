import { execFile } from 'node:child_process'
import { mkdir, open, readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ExpectedError, messageOf } from '../expected-error.ts'
import { syncFolder, writeDurably } from '../state/durable-file.ts'
import { folderOf, type StagedUpdate, type Versions } from './versions.ts'

const run = promisify(execFile)
const program = 'muster-agent'
const pathInArchive = `usr/lib/muster-agent/${program}`

/**
 * Puts the version in the archive beside the current one and marks it for its trial. Every step leaves either the
 * previous state or a complete trial, wherever it is interrupted.
 */
export async function stageUpdate(
  versions: Versions,
  archive: string,
  { previousVersion, workId }: Pick<StagedUpdate, 'previousVersion' | 'workId'>,
): Promise<StagedUpdate | undefined> {
  await mkdir(versions.root, { recursive: true, mode: 0o700 })
  await removeUnused(versions)
  const incoming = join(versions.root, 'incoming')
  const file = await extract(archive, incoming)
  const version = await versionOf(file)
  if (version === previousVersion) {
    await rm(incoming, { recursive: true, force: true })
    return undefined
  }
  const folder = `${version}-${Date.now()}`
  await rename(dirname(file), join(versions.root, folder))
  await rm(incoming, { recursive: true, force: true })
  const update = { folder, version, previousVersion, workId }
  // Before the link: the agent must know which work item the trial belongs to.
  await writeDurably(versions.record, update)
  await rm(versions.starts, { force: true })
  const link = join(versions.root, 'trial.new')
  await rm(link, { force: true })
  await symlink(folder, link)
  await rename(link, versions.trial)
  await syncFolder(versions.root)
  return update
}

async function extract(archive: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  await run('tar', ['-xzf', resolve(archive), '-C', folder, `./${pathInArchive}`]).catch((error: unknown) => {
    throw new ExpectedError(`${archive} is not an archive of the agent: ${messageOf(error)}`)
  })
  const path = join(folder, pathInArchive)
  const file = await open(path)
  await file.sync().finally(() => file.close())
  return path
}

/** Also shows that the program runs on this computer at all. */
async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: 60_000 }).catch((error: unknown) => {
    throw new ExpectedError(`The new version does not run on this computer: ${messageOf(error)}`)
  })
  const version = stdout.trim()
  if (/^\d[\w.+~-]{0,49}$/.test(version)) return version
  throw new ExpectedError('The new version does not say which version it is.')
}

/** Removes the folders of versions that are no longer in use. */
async function removeUnused(versions: Versions): Promise<void> {
  const current = await folderOf(versions.current)
  const entries = await readdir(versions.root, { withFileTypes: true })
  for (const entry of entries)
    if (entry.isDirectory() && entry.name !== current)
      await rm(join(versions.root, entry.name), { recursive: true, force: true })
}
