import { parentPort, workerData } from 'node:worker_threads'
// Without the proposals, which need the schemas of manifests: the thread starts faster.
import {
  type InstallerFacts,
  InstallerFault,
  type InstallerFaultCode,
  type InstallerLimits,
  readInstaller,
} from '@muster/installers/reading'

export type ReadingTask = { path: string; limits: InstallerLimits; fileName: string }

export type ReadingResult = { facts: InstallerFacts } | { fault: { code: InstallerFaultCode; message: string } }

/** The program of a thread: reads one file, and sends what it found. */
async function read({ path, limits, fileName }: ReadingTask): Promise<ReadingResult> {
  try {
    return { facts: await readInstaller(path, limits, fileName) }
  } catch (error) {
    if (!(error instanceof InstallerFault)) throw error
    return { fault: { code: error.code, message: error.message } }
  }
}

parentPort?.postMessage(await read(workerData as ReadingTask))
