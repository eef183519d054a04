import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { print } from '@muster/text/print'
import { codeOf, ExpectedError, messageOf } from '../expected-error.ts'
import { openConnections } from '../http/connections.ts'
import { trustedAuthorities } from '../http/trust.ts'
import type { Computer } from '../platform/reports.ts'
import type { Enrolment } from '../protocol.ts'
import { Refused, ServerUnavailable, serverClient } from '../server-client.ts'
import { findPinnedSerial } from '../signing/pinned-keys.ts'
import { removeDurably } from '../state/durable-file.ts'
import { readIdentity, writeIdentity } from '../state/identity.ts'
import { prepareStateFolder, type StateFolder } from '../state/state-folder.ts'
import { agentVersion } from '../version.ts'
import { pinKeysOfEnrolment } from './trust-key.ts'

export type EnrolOptions = {
  server: string
  /** An enrolment token or a re-enrolment code. */
  token: string
  /** The token of a boot script, or an address that ends with it. */
  installation?: string | undefined
  ca?: string | undefined
  name?: string | undefined
  domain?: string | undefined
  uuid?: string | undefined
  mac?: string | undefined
  insecure?: boolean | undefined
  force?: boolean | undefined
  /** Keys, or names of key files. */
  trustedKeys: readonly string[]
}

/** Exchanges an enrolment token or a re-enrolment code for the credential of this computer. */
export async function enrol(state: StateFolder, options: EnrolOptions): Promise<void> {
  const server = serverAddress(options.server, options.insecure === true)
  await prepareStateFolder(state)
  const known = await readIdentity(state)
  if (known?.credential && known.server !== server && !options.force)
    throw new ExpectedError(
      `This computer is enrolled with ${known.server}. Use --force to enrol it with another server.`,
    )
  // Before anything is received from the server.
  await pinKeysOfEnrolment(state, options.trustedKeys)
  if (options.ca) await copyCertificates(options.ca, state.certificates)
  // The key is stored before the request: if the response is lost, the server recognises the same agent next time.
  const enrolmentKey = known?.server === server ? known.enrolmentKey : randomBytes(32).toString('base64url')
  const hasCertificates = Boolean(options.ca) || (known?.server === server && known.hasCertificates)
  const kept = known?.server === server ? known : { clientId: null, credential: null }
  const pinnedSerial = await findPinnedSerial(state)
  const common = { server, enrolmentKey, hasCertificates, ...(pinnedSerial !== undefined && { pinnedSerial }) }
  await writeIdentity(state, { ...kept, ...common })
  const pinned = hasCertificates ? await readFile(state.certificates, 'utf8') : undefined
  const connections = openConnections(trustedAuthorities(state.platform, server, pinned))

  const computer = await computerOf(state.platform.computer, options)
  const agent = { version: agentVersion, platform: state.platform.name }
  const installation = options.installation?.split('/').at(-1) || null
  const request = { token: options.token, enrolmentKey, ...(installation && { installation }), computer, agent }
  const { clientId, credential, quarantined } = await serverClient(connections, server, null)
    .enrol(request)
    .catch(async (error: unknown) => {
      // The computer stays as it was, without a key that no server knows.
      if (!known && hasNoEffect(error)) await removeDurably(state.platform.files, state.identity)
      throw toExpectedError(error)
    })
  // Until the new credential has worked, the one before it may be the only one that does.
  await writeIdentity(state, { ...common, clientId, credential, previousCredential: kept.credential })
  print(`${computer.name} is enrolled with ${server} as computer ${clientId}.`)
  if (quarantined)
    print('The agent is in quarantine: the server knows this computer, and an administrator must confirm the agent.')
}

/** Whether the server has certainly not enrolled the computer: it has refused, or there was no connection. */
function hasNoEffect(error: unknown): boolean {
  if (error instanceof Refused || unconnectedCodes.has(codeOf(error) ?? '')) return true
  return error instanceof Error && error.cause !== undefined && hasNoEffect(error.cause)
}

const unconnectedCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

function toExpectedError(error: unknown): unknown {
  if (error instanceof ServerUnavailable) return new ExpectedError(error.message)
  if (!(error instanceof Refused)) return error
  const hints: Record<string, string> = {
    EnrolmentTokenInvalid:
      'The enrolment token or code is unknown, expired, revoked, used up or meant for another computer. Ask an administrator for a new one.',
    AlreadyEnrolled:
      'Another agent is already enrolled for this computer. Ask an administrator for a re-enrolment code, and use it as the token.',
  }
  return new ExpectedError(hints[error.code] ?? error.message)
}

async function computerOf(
  computer: Computer,
  { name, domain, uuid, mac }: EnrolOptions,
): Promise<Enrolment['computer']> {
  const own = await computer.name()
  const given = (text: string | undefined) => (text === 'none' ? null : text)
  return {
    name: name ?? own.name,
    domain: domain || own.domain || 'WORKGROUP',
    isDomain: Boolean(domain || own.domain),
    uuid: given(uuid) !== undefined ? (given(uuid) ?? null) : await computer.firmwareUuid(),
    macAddress: given(mac) !== undefined ? (given(mac) ?? null) : (await computer.mainInterface()).macAddress,
  }
}

/** The token and the credential are sent there, so the connection must be encrypted. */
function serverAddress(text: string, isInsecureAllowed: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new ExpectedError(`--server must be a URL that begins with https://, not '${text}'.`)
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback && !isInsecureAllowed)
    throw new ExpectedError('Plain http exposes the credential to the network. Use https, or --insecure for a test.')
  return url.href.replace(/\/*$/, '')
}

async function copyCertificates(source: string, target: string): Promise<void> {
  const text = await readFile(source, 'utf8').catch((error: unknown) => {
    throw new ExpectedError(`--ca: ${messageOf(error)}.`)
  })
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new ExpectedError(`--ca: ${source} contains no certificate.`)
  await writeFile(target, text, { mode: 0o600 })
}
