import { readFile } from 'node:fs/promises'
import type { Agent } from '../agent.ts'
import type { PackageFile, StartedWork, WorkPackage } from '../protocol.ts'
import { findSigner } from '../signing/minisign.ts'
import { formatKeyIds, type PinnedKeys, readPinnedKeys } from '../signing/pinned-keys.ts'
import {
  manifestName,
  PackageRefused,
  parseSignedManifest,
  requireSignedFiles,
  signatureName,
  toSignedPackage,
  toSignedWork,
} from '../signing/signed-manifest.ts'
import { readStored } from '../state/durable-file.ts'
import { downloadContents, type Transfer } from './fetch-package.ts'

export type HandedWork = { workId: number; package: WorkPackage; work: StartedWork }

/** The files of a work item, and where they are. */
export type HandedFiles = {
  workId: number
  work: Pick<StartedWork, 'files' | 'depots'> & Partial<Pick<StartedWork, 'depotsAfterServer'>>
}

/** The work to do, and the id of the key that has signed its package; null if no key is pinned. */
export type VerifiedWork = { package: WorkPackage; work: StartedWork; signedBy: string | null }

/** In bytes. Both files are read into memory. */
const maxSizes = { [manifestName]: 16 * 1024 * 1024, [signatureName]: 10_000 }

/**
 * If keys are pinned, replaces what the server states about the package with what the signed manifest states. Throws
 * PackageRefused if the package is not signed by a pinned key or the two differ.
 */
export async function verifyWork(agent: Agent, handed: HandedWork, transfer: Transfer): Promise<VerifiedWork> {
  const pinned = await readPinnedKeys(agent.state)
  if (!pinned) return { package: handed.package, work: handed.work, signedBy: null }
  const { manifest, own, signedBy } = await readSignedManifest(agent, pinned, handed, transfer)
  const computer = {
    knownPatches: (await readStored<string[]>(agent.state.patches)) ?? [],
    product: await agent.platform.computer.productName(),
  }
  return {
    package: toSignedPackage(manifest, handed.package, agent.environment),
    work: toSignedWork(manifest, handed.work, own, computer),
    signedBy,
  }
}

/**
 * The files to download before the time of the work, after the same checks: with pinned keys, only those of a manifest that one
 * of them has signed. What to run is not known yet.
 */
export async function verifyUpcoming(
  agent: Agent,
  upcoming: HandedFiles & { package: WorkPackage },
  transfer: Transfer,
): Promise<readonly PackageFile[]> {
  const pinned = await readPinnedKeys(agent.state)
  if (!pinned) return upcoming.work.files
  const { manifest, own } = await readSignedManifest(agent, pinned, upcoming, transfer)
  toSignedPackage(manifest, upcoming.package, agent.environment)
  return requireSignedFiles(manifest, upcoming.work.files, own)
}

/** Downloads the manifest and its signature, and checks them. */
async function readSignedManifest(agent: Agent, pinned: PinnedKeys, handed: HandedFiles, transfer: Transfer) {
  const own = [requireFile(handed, pinned, manifestName), requireFile(handed, pinned, signatureName)] as const
  await downloadContents(agent, handed.workId, handed.work, own, transfer)
  const [content, signature] = await Promise.all(own.map(({ sha256 }) => readFile(agent.cache.pathOf(sha256))))
  const signer = content && signature && findSigner(pinned.keys, content, signature.toString('utf8'))
  if (!content || !signer)
    throw new PackageRefused(
      `The signature of the package is not valid or comes from another key. ${trustedKeysOf(pinned)}`,
    )
  return { manifest: parseSignedManifest(content), own, signedBy: signer.keyId }
}

function requireFile({ work }: HandedFiles, pinned: PinnedKeys, name: keyof typeof maxSizes): PackageFile {
  const file = work.files.find(({ path }) => path === name)
  if (file && file.size <= (maxSizes[name] ?? 0)) return file
  throw new PackageRefused(
    file ? `${name} of the package is too large.` : `The package is not signed. ${trustedKeysOf(pinned)}`,
  )
}

function trustedKeysOf({ keys }: PinnedKeys): string {
  return `This agent runs only what these keys have signed: ${formatKeyIds(keys)}.`
}
