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
   * The credential that the current one has replaced, or the other way round after a refusal. It may be the only one that works:
   * until the server has accepted the current one, and if the server was restored from a backup that is older than the replacement.
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
  await writeIdentity(state, withCredential(identity, offered, used))
}

/**
 * Goes back to the previous credential after the server has refused the current one. Both are kept: a refusal may come from a proxy
 * or from a server that is being repaired, and the refused one may be the only one that works later.
 */
export async function restorePreviousCredential(state: StateFolder, refused: string): Promise<boolean> {
  const identity = await readIdentity(state)
  if (!identity?.previousCredential || identity.credential !== refused) return false
  await writeIdentity(state, withCredential(identity, identity.previousCredential, refused))
  return true
}

/** The credential names the computer. */
function withCredential(identity: Identity, credential: string, previousCredential: string): Identity {
  const [, named] = /^agent-(\d+)\./.exec(credential) ?? []
  const clientId = named === undefined ? identity.clientId : Number(named)
  return { ...identity, clientId, credential, previousCredential }
}

export async function readCertificates(state: StateFolder, identity: Identity): Promise<string | undefined> {
  return identity.hasCertificates ? readFile(state.certificates, 'utf8') : undefined
}
