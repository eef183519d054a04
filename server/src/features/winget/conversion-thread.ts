import { parentPort, workerData } from 'node:worker_threads'
import {
  convertWinget,
  readWingetManifest,
  type WingetChoice,
  type WingetConversion,
  WingetFault,
  type WingetFile,
} from '@muster/installers/winget'

export type ConversionTask = { files: readonly WingetFile[]; choice: WingetChoice }

export type ConversionResult = { conversion: WingetConversion } | { fault: string }

/** The program of a thread: converts one manifest, and sends the result. */
function convert({ files, choice }: ConversionTask): ConversionResult {
  try {
    return { conversion: convertWinget(readWingetManifest(files), choice) }
  } catch (error) {
    if (error instanceof WingetFault) return { fault: error.message }
    throw error
  }
}

parentPort?.postMessage(convert(workerData as ConversionTask))
