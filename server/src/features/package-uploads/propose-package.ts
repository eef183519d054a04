import { type ProposedManifest, proposeManifest } from '@muster/installers'
import { type InstallerFacts, InstallerFault, type InstallerFaultCode } from '@muster/installers/reading'
import { NoPlaceFree } from '../../platform/load/places.ts'
import type { ProblemKind } from '../../platform/problem.ts'
import { readInstallerInWorker } from '../packages/installers/read-installer-in-worker.ts'
import {
  installerDamaged,
  installerFormatUnknown,
  installerNeedsTooMuchMemory,
  installerReaderBusy,
  installerTooLarge,
  installerTooSlow,
  installerUnsupported,
  uploadedFileMissing,
} from './problems.ts'

const retryAfterSeconds = '10'
const maxReasonLength = 500

const faultProblems: Record<InstallerFaultCode, ProblemKind> = {
  unknownFormat: installerFormatUnknown,
  damaged: installerDamaged,
  unsupported: installerUnsupported,
  tooLarge: installerTooLarge,
  tooSlow: installerTooSlow,
  outOfMemory: installerNeedsTooMuchMemory,
  notAFile: uploadedFileMissing,
}

/** What an operation that proposes a package may answer. */
export const proposalProblems: readonly ProblemKind[] = [...Object.values(faultProblems), installerReaderBusy]

export type InstallerProposal = ProposedManifest & { facts: InstallerFacts }

/** Reads an installer, which its vendor has given this name, and proposes the package of it. Throws one of `proposalProblems`. */
export async function proposePackage(path: string, fileName: string): Promise<InstallerProposal> {
  try {
    const facts = await readInstallerInWorker(path, undefined, fileName)
    return { ...proposeManifest(facts), facts }
  } catch (error) {
    throw toProposalProblem(error)
  }
}

function toProposalProblem(error: unknown): unknown {
  if (error instanceof NoPlaceFree) return installerReaderBusy().withHeaders({ 'retry-after': retryAfterSeconds })
  if (!(error instanceof InstallerFault)) return error
  // Parts of the message may come from the file.
  return faultProblems[error.code]({ reason: error.message.slice(0, maxReasonLength).toWellFormed() })
}
