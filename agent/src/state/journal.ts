import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PowerAction } from '../platform/machine.ts'
import type { CommandProcess } from '../platform/processes.ts'
import type { PackageDetection, PackageWorkKind, WorkPackage, WorkResult } from '../protocol.ts'
import { isDiskFull, readStored, removeDurably, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

export type Step = 'uninstall' | 'install' | 'update' | 'before' | 'after'

/** A command may have started, and its end is not known. The entry never contains secrets. */
export type RunningEntry = {
  phase: 'running'
  workId: number
  attempt: number
  kind: PackageWorkKind
  /** How many times this attempt was started: once, and once more after an interruption. */
  runs: number
  step: Step
  /** Whether the previous step has removed the old software. */
  isAfterUninstall: boolean
  /** Whether the step belongs to a trial, which ends without the software. */
  isTrial?: true
  package: WorkPackage
  detect: PackageDetection | null
  /** The id of the key that has signed the package; null if the agent had no pinned keys. */
  signedBy: string | null
  variables: Record<string, string>
  folder: string
  commandLine: string
  startedUtc: string
  /** When the time limit of the command ends. */
  deadlineUtc: string
  process: CommandProcess
}

/** The result of a work item that the server has not acknowledged yet. */
export type FinishedEntry = {
  phase: 'finished'
  workId: number
  result: WorkResult
  /** To run once the server has accepted the result. */
  power?: PowerCommand
}

/** Not after `beginBy`, in milliseconds of the clock. */
export type PowerCommand = { action: PowerAction; bootId: string; beginBy?: number }

/** The server has accepted the power action, and its command has not finished yet. */
export type PowerEntry = { phase: 'power'; workId: number } & PowerCommand

export type JournalEntry = RunningEntry | FinishedEntry | PowerEntry

export type Journal = ReturnType<typeof openJournal>

const ballastBytes = 256 * 1024

/** A person looks at a few of them. A server that refuses everything must not fill the disk. */
const maxRefusedEntries = 20

/** State that survives the process: one file per work item, named by its id. */
export function openJournal({ platform: { files }, journal: folder }: StateFolder) {
  /** Ids come from the server. Anything but a number could lead out of the folder, for example to the pinned keys. */
  const pathOf = (workId: number) => {
    if (!Number.isSafeInteger(workId) || workId < 0) throw new Error('The id of a work item is not a number.')
    return join(folder, `${workId}.json`)
  }
  const ballast = join(folder, 'ballast')

  return {
    async entries(): Promise<JournalEntry[]> {
      const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name))
      const entries: JournalEntry[] = []
      for (const name of names.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))) {
        const entry = await readStored<JournalEntry>(join(folder, name))
        if (entry) entries.push(entry)
      }
      return entries
    },

    /** On a full disk, a result uses the space reserved for it. */
    async write(entry: JournalEntry): Promise<void> {
      try {
        await writeDurably(files, pathOf(entry.workId), entry)
      } catch (error) {
        if (!isDiskFull(error) || entry.phase === 'running') throw error
        await rm(ballast, { force: true })
        await writeDurably(files, pathOf(entry.workId), entry)
      }
    },

    async remove(workId: number): Promise<void> {
      await removeDurably(files, pathOf(workId))
    },

    /** Keeps a refused entry for inspection, as one of the last, and excludes it from processing. */
    async setAside(workId: number): Promise<void> {
      await rename(pathOf(workId), join(folder, `${workId}.refused`))
      const refused = (await readdir(folder)).filter((name) => /^\d+\.refused$/.test(name))
      if (refused.length <= maxRefusedEntries) return
      const dated = await Promise.all(
        refused.map(async (name) => ({ path: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
      )
      const oldestFirst = dated.sort((a, b) => a.time - b.time)
      for (const { path } of oldestFirst.slice(0, -maxRefusedEntries)) await rm(path, { force: true })
    },

    /** Reserves disk space for results while there is any. */
    async reserveSpace(): Promise<void> {
      const file = await open(ballast, 'a', 0o600).catch(() => undefined)
      try {
        const missing = file ? ballastBytes - (await file.stat()).size : 0
        if (missing > 0) await file?.appendFile(Buffer.alloc(missing))
      } catch (error) {
        if (!isDiskFull(error)) throw error
      } finally {
        await file?.close()
      }
    },
  }
}
