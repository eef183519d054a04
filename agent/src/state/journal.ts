import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackageCommand, PackageWorkKind, WorkPackage, WorkResult } from '../protocol.ts'
import { isDiskFull, readStored, removeDurably, writeDurably } from './durable-file.ts'

export type CommandProcess = { pid: number; startTicks: string; bootId: string }

export type Step = 'uninstall' | 'install' | 'update'

/** A command may have begun, and nothing is known of its end. Secrets are never part of it. */
export type RunningEntry = {
  phase: 'running'
  workId: number
  attempt: number
  kind: PackageWorkKind
  /** How often a command was begun for this attempt: once, and once more after an interruption. */
  runs: number
  step: Step
  /** The step before has taken the old software away. */
  isAfterUninstall: boolean
  package: WorkPackage
  detect: PackageCommand | null
  variables: Record<string, string>
  folder: string
  commandLine: string
  startedUtc: string
  /** When the command has to be over. */
  deadlineUtc: string
  process: CommandProcess
}

/** The end of a piece of work, which the server has not acknowledged yet. */
export type FinishedEntry = {
  phase: 'finished'
  workId: number
  result: WorkResult
  /** What is to be done once the server knows. */
  power?: PowerCommand
}

export type PowerCommand = { action: string; command: string; bootId: string }

/** The server knows that the computer goes down, and the command for it has not ended yet. */
export type PowerEntry = { phase: 'power'; workId: number } & PowerCommand

export type JournalEntry = RunningEntry | FinishedEntry | PowerEntry

export type Journal = ReturnType<typeof journal>

const ballastBytes = 256 * 1024

/** What must survive the end of the process: one file for each piece of work, named by its id. */
export function journal(folder: string) {
  const pathOf = (workId: number) => join(folder, `${workId}.json`)
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

    /** On a full disk, a result takes the room that was kept for it. */
    async write(entry: JournalEntry): Promise<void> {
      try {
        await writeDurably(pathOf(entry.workId), entry)
      } catch (error) {
        if (!isDiskFull(error) || entry.phase === 'running') throw error
        await rm(ballast, { force: true })
        await writeDurably(pathOf(entry.workId), entry)
      }
    },

    async remove(workId: number): Promise<void> {
      await removeDurably(pathOf(workId))
    },

    /** Keeps an entry for people to look at, out of the way of the others. */
    async setAside(workId: number): Promise<void> {
      await rename(pathOf(workId), join(folder, `${workId}.refused`))
    },

    /** Keeps room for a result, as long as there is some. */
    async keepRoom(): Promise<void> {
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
