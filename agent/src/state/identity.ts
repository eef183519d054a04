import { readFile } from 'node:fs/promises'
import { ExpectedError } from '../expected-error.ts'
import { readStored, writeDurably } from './durable-file.ts'
import type { StateFolder } from './state-folder.ts'

/** The identity of this computer at its server. Before the enrolment is answered, only the enrolment key is set. */
export type Identity = {
  server: string
  enrolmentKey: string
  clientId: number | null
  credential: string | null
  /**
   * The credential that the current one has replaced. The server accepts it again if it was restored from a backup that is
   * older than the replacement.
   */
  previousCredential?: string | null
  hasCertificates: boolean
  /**
   * The serial of the pinned keys. Set while keys are pinned, so a missing file of keys is an error and does not mean that none
   * is pinned.
   */
  pinnedSerial?: number
}

export type EnrolledIdentity = Identity & { clientId: number; credential: string }

export async function readIdentity({ identity }: StateFolder): Promise<Identity | undefined> {
  return readStored<Identity>(identity)
}

export async function writeIdentity(state: StateFolder, identity: Identity): Promise<void> {
  await writeDurably(state.platform.files, state.identity, identity)
}

/** Remembers the serial of the pinned keys, or that none is pinned. A computer without an identity has nothing to protect. */
export async function rememberPinnedSerial(state: StateFolder, serial: number | undefined): Promise<void> {
  const identity = await readIdentity(state)
  if (!identity || identity.pinnedSerial === serial) return
  const { pinnedSerial: _, ...rest } = identity
  await writeIdentity(state, serial === undefined ? rest : { ...rest, pinnedSerial: serial })
}

export async function requireEnrolledIdentity(state: StateFolder): Promise<EnrolledIdentity> {
  const identity = await readIdentity(state)
  if (identity?.credential && identity.clientId !== null) return identity as EnrolledIdentity
  throw new ExpectedError(
    `This computer is not enrolled (${state.root}). Run 'enrol --server URL --token TOKEN' first.`,
  )
}

/**
 * Replaces the credential by the one that the server offered, unless the computer has been enrolled again meanwhile. It names
 * another computer if an administrator has confirmed the agent for that one.
 */
export async function replaceCredential(state: StateFolder, used: string, offered: string): Promise<void> {
  const identity = await readIdentity(state)
  if (identity?.credential !== used) return
  const [, offeredId] = /^agent-(\d+)\./.exec(offered) ?? []
  const clientId = offeredId === undefined ? identity.clientId : Number(offeredId)
  await writeIdentity(state, { ...identity, clientId, credential: offered, previousCredential: used })
}

/** Goes back to the previous credential, once, after the server has refused the current one. */
export async function restorePreviousCredential(state: StateFolder, refused: string): Promise<boolean> {
  const identity = await readIdentity(state)
  if (!identity?.previousCredential || identity.credential !== refused) return false
  await writeIdentity(state, { ...identity, credential: identity.previousCredential, previousCredential: null })
  return true
}

export async function readCertificates(state: StateFolder, identity: Identity): Promise<string | undefined> {
  return identity.hasCertificates ? readFile(state.certificates, 'utf8') : undefined
}
