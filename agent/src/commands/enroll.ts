import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { ExpectedError, messageOf } from '../expected-error.ts'
import { computerName, firmwareUuid, mainInterface } from '../machine/computer.ts'
import type { Enrolment } from '../protocol.ts'
import { Refused, ServerAway, serverClient } from '../server-client.ts'
import { readIdentity, writeIdentity } from '../state/identity.ts'
import { prepareStateFolder, stateFolder } from '../state/state-folder.ts'
import { trustAlso } from '../trust.ts'
import { agentPlatform, agentVersion } from '../version.ts'

export type EnrollOptions = {
  server: string
  token: string
  state: string
  ca?: string | undefined
  name?: string | undefined
  domain?: string | undefined
  uuid?: string | undefined
  mac?: string | undefined
  insecure?: boolean | undefined
  force?: boolean | undefined
}

/** Exchanges an enrolment token for the credential of this computer. */
export async function enroll(options: EnrollOptions): Promise<void> {
  const server = serverAddress(options.server, options.insecure === true)
  const state = stateFolder(options.state)
  await prepareStateFolder(state)
  const known = await readIdentity(state)
  if (known?.credential && known.server !== server && !options.force)
    throw new ExpectedError(`This computer is enrolled with ${known.server}. Use --force to leave that server.`)
  if (options.ca) await copyCertificates(options.ca, state.certificates)
  // The key is there before the call: if its answer is lost, the next call is known to come from the same agent.
  const enrolmentKey = known?.server === server ? known.enrolmentKey : randomBytes(32).toString('base64url')
  const hasCertificates = Boolean(options.ca) || (known?.server === server && known.hasCertificates)
  const kept = known?.server === server ? known : { clientId: null, credential: null }
  await writeIdentity(state, { ...kept, server, enrolmentKey, hasCertificates })
  if (hasCertificates) trustAlso(await readFile(state.certificates, 'utf8'))

  const computer = await computerOf(options)
  const agent = { version: agentVersion, platform: agentPlatform }
  const { clientId, credential } = await enrolled(server, { token: options.token, enrolmentKey, computer, agent })
  await writeIdentity(state, { server, enrolmentKey, clientId, credential, hasCertificates })
  console.log(`${computer.name} is enrolled with ${server} as computer ${clientId}.`)
}

async function enrolled(server: string, enrolment: Enrolment) {
  try {
    return await serverClient(server, null).enrol(enrolment)
  } catch (error) {
    if (error instanceof ServerAway) throw new ExpectedError(error.message)
    if (!(error instanceof Refused)) throw error
    const hints: Record<string, string> = {
      EnrolmentTokenInvalid: 'The enrolment token is unknown, expired, revoked or used up. Ask for a new one.',
      AlreadyEnrolled:
        'This computer has an agent already, with another state folder. An administrator must allow to enrol it again.',
    }
    throw new ExpectedError(hints[error.code] ?? error.message)
  }
}

async function computerOf({ name, domain, uuid, mac }: EnrollOptions): Promise<Enrolment['computer']> {
  const own = computerName()
  const given = (text: string | undefined) => (text === 'none' ? null : text)
  return {
    name: name ?? own.name,
    domain: domain || own.domain || 'WORKGROUP',
    isDomain: Boolean(domain || own.domain),
    uuid: given(uuid) !== undefined ? (given(uuid) ?? null) : await firmwareUuid(),
    macAddress: given(mac) !== undefined ? (given(mac) ?? null) : (await mainInterface()).macAddress,
  }
}

/** The token and the credential go there, so that nobody on the way may read them. */
function serverAddress(text: string, isInsecureAllowed: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password)
    throw new ExpectedError(`--server must be an address that begins with https://, not '${text}'.`)
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLoopback && !isInsecureAllowed)
    throw new ExpectedError('Plain http shows the credential to the network. Use https, or --insecure for a test.')
  return url.href.replace(/\/*$/, '')
}

async function copyCertificates(source: string, target: string): Promise<void> {
  const text = await readFile(source, 'utf8').catch((error: unknown) => {
    throw new ExpectedError(`--ca: ${messageOf(error)}.`)
  })
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new ExpectedError(`--ca: ${source} holds no certificate.`)
  await writeFile(target, text, { mode: 0o600 })
}
