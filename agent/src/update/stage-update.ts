import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ExpectedError, messageOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import type { Program } from '../platform/self-update.ts'
import { writeDurably } from '../state/durable-file.ts'
import { isOlderVersion } from './older-version.ts'
import type { StagedUpdate, Versions } from './versions.ts'

const run = promisify(execFile)

/**
 * Puts the version in the archive beside the current one and marks it for its trial. Every step leaves either the
 * previous state or a complete trial, wherever it is interrupted.
 */
export async function stageUpdate(
  { program, files }: Platform,
  versions: Versions,
  archive: string,
  { previousVersion, workId }: Pick<StagedUpdate, 'previousVersion' | 'workId'>,
  mayBeOlder: boolean,
): Promise<StagedUpdate | undefined> {
  await mkdir(versions.root, { recursive: true, mode: 0o700 })
  await removeUnused(program, versions)
  const incoming = join(versions.root, 'incoming')
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { mode: 0o700 })
  const file = await program.extract(archive, incoming)
  const version = await versionOf(file)
  if (version === previousVersion) {
    await rm(incoming, { recursive: true, force: true })
    return undefined
  }
  if (!mayBeOlder && isOlderVersion(version, previousVersion)) {
    await rm(incoming, { recursive: true, force: true })
    throw new ExpectedError(
      `Version ${version} is older than ${previousVersion}, which runs here, and this computer has pinned keys. ` +
        "To return to it all the same, run 'muster-agent self-update --allow-older ARCHIVE' on this computer.",
    )
  }
  const folder = `${version}-${Date.now()}`
  await rename(dirname(file), join(versions.root, folder))
  await rm(incoming, { recursive: true, force: true })
  const update = { folder, version, previousVersion, workId }
  // Before the pointer: the agent must know which work item the trial belongs to.
  await writeDurably(files, versions.record, update)
  await rm(versions.starts, { force: true })
  await program.writePointer(versions.trial, folder)
  await files.syncFolder(versions.root)
  return update
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
async function removeUnused(program: Program, versions: Versions): Promise<void> {
  const current = await program.readPointer(versions.current)
  const entries = await readdir(versions.root, { withFileTypes: true })
  for (const entry of entries)
    if (entry.isDirectory() && entry.name !== current)
      await rm(join(versions.root, entry.name), { recursive: true, force: true })
}
