import { parentPort, workerData } from 'node:worker_threads'
import {
  type InstallerFacts,
  InstallerFault,
  type InstallerFaultCode,
  type InstallerLimits,
  readInstaller,
} from '@muster/installers'

export type ReadingTask = { path: string; limits: InstallerLimits }

export type ReadingResult = { facts: InstallerFacts } | { fault: { code: InstallerFaultCode; message: string } }

/** The program of a thread: reads one file, and sends what it found. */
async function read({ path, limits }: ReadingTask): Promise<ReadingResult> {
  try {
    return { facts: await readInstaller(path, limits) }
  } catch (error) {
    if (!(error instanceof InstallerFault)) throw error
    return { fault: { code: error.code, message: error.message } }
  }
}

parentPort?.postMessage(await read(workerData as ReadingTask))
