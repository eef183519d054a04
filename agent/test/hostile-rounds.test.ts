import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { trackActivity } from '../src/activity.ts'
import type { Agent } from '../src/agent.ts'
import { answers } from '../src/answers/answers.ts'
import { openBandwidth } from '../src/files/bandwidth.ts'
import { contentCache } from '../src/files/content-cache.ts'
import { noInventory } from '../src/inventory/source.ts'
import { runOnce } from '../src/loop.ts'
import { noPatches } from '../src/patches/source.ts'
import { linux } from '../src/platform/linux/index.ts'
import type { Platform } from '../src/platform/platform.ts'
import { openPreDownloads } from '../src/pre-download/pre-downloads.ts'
import type { ContactAnswer, StartedWork } from '../src/protocol.ts'
import { readAnswer } from '../src/server-client.ts'
import { writePinnedKeys } from '../src/signing/pinned-keys.ts'
import { writeIdentity } from '../src/state/identity.ts'
import { openJournal } from '../src/state/journal.ts'
import { prepareStateFolder, stateFolder } from '../src/state/state-folder.ts'
import { openOutbox } from '../src/work/outbox.ts'
import { mutationsOf, sampleOf } from './mutated-answers.ts'
import { generateSecretKey } from './signed.ts'

const credential = 'agent-7.secret'
const { publicKey } = generateSecretKey()
/** Hundreds of rounds, each of which waits until its files are on the disk, take long on a busy one. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** An agent in this process, with a pinned key. It has no way to start a program or to restart the computer. */
async function openAgent() {
  const outside = await mkdtemp(join(memory, 'muster-agent-test-'))
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const started: string[] = []
  const refuse = (name: string) => () => {
    started.push(name)
    throw new Error('Nothing may be started.')
  }
  const platform: Platform = {
    ...linux,
    processes: new Proxy(linux.processes, { get: (_, name) => refuse(String(name)) }),
    power: { describe: () => 'nothing', perform: async () => 0 },
    users: { ...linux.users, loggedOn: async () => null },
  }
  const state = stateFolder(platform, join(outside, 'state'))
  await mkdir(state.root)
  await prepareStateFolder(state)
  const identity = { server: 'http://127.0.0.1:1', enrolmentKey: 'k', clientId: 7, credential, hasCertificates: false }
  const open = async (contacts: ContactAnswer[], start: () => StartedWork): Promise<Agent> => {
    await writeIdentity(state, identity)
    await writePinnedKeys(state, { serial: 1, keys: [publicKey], removedIds: [] })
    const client = {
      contact: async () => contacts.shift() ?? { ...quiet },
      start: async () => start(),
      progress: async () => ({ leaseSeconds: 60, cancelled: false }),
      result: async () => ({ accepted: true }),
      postpone: async () => ({ remaining: 0 }),
    }
    const cache = contentCache(state.cache, state.incoming)
    const agent: Agent = {
      ...{ platform, state, journal: openJournal(state), cache, bandwidth: openBandwidth() },
      preDownloads: openPreDownloads({ state, cache, isEnabled: true, onEnd() {}, currentAgent: async () => agent }),
      ...{ inventory: noInventory, patches: noPatches, connections: {} as Agent['connections'] },
      ...{
        client: client as unknown as Agent['client'],
        credential,
        runId: 'r',
        environment: 'OperatingSystem' as const,
      },
      ...{
        leasedItems: [],
        outbox: openOutbox(),
        activity: trackActivity(),
        questions: { notBefore: 0, isOpen: false },
        rebootCommand: undefined,
      },
      terms: { mayBeginUntil: 0, takesResults: false, hasMoreResults: false, hasUpcoming: false, plainUntil: 0 },
      wakeChannel: { isConnected: () => false, close() {} },
      stopping: new AbortController().signal,
    }
    return agent
  }
  return { outside, state, started, open }
}

const quiet: ContactAnswer = {
  ...{ serverTimeUtc: '', nextContactSeconds: 60, settings: null, sections: [], work: [], offers: [] },
}

/**
 * The answers to contacts that the agent does not refuse, without those that it reads as the same. With a pinned key, nothing of the
 * content of work that nobody has signed is used.
 */
function* survivors(): Generator<[string, ContactAnswer]> {
  const seen = new Set<string>()
  for (const { at, what, text } of mutationsOf(sampleOf('AgentContactAnswer'))) {
    if (/content\.|environment\./.test(at) || what.startsWith('a huge text')) continue
    const answer = tryRead(text)
    const found = JSON.stringify(answer)
    if (answer === undefined || seen.has(found)) continue
    seen.add(found)
    yield [`${at} as ${what}`, answer]
  }
}

function tryRead(text: string): ContactAnswer | undefined {
  try {
    return readAnswer(text, answers.contactAnswer)
  } catch {
    return undefined
  }
}

const ofAgent =
  /^(cache|contact\.json|identity\.json|incoming|journal|offers\.json|packages|settings\.json|suspension\.json)$/
const alsoOfAgent =
  /^(trusted-keys\.json|wants|choices|reboot-pending\.json|patches\.json|presentation\.json|user-deadlines\.json)$/

test('whatever a hostile server answers, an agent with pinned keys goes on, starts nothing and stays in its folder', async () => {
  const { outside, state, started, open } = await openAgent()
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  onTestFinished(() => void vi.restoreAllMocks())
  const faults: string[] = []
  const start = answers.startedWork(sampleOf('StartedWork'), '')
  let rounds = 0
  for (const [what, answer] of survivors()) {
    rounds += 1
    const agent = await open([answer], () => start)
    await runOnce(state.platform, async () => agent, agent.stopping).catch((error: unknown) =>
      faults.push(`${what}: ${error}`),
    )
    await agent.outbox.takeOver()
    await agent.preDownloads.pause()
  }

  expect(rounds).toBeGreaterThan(50)
  expect(faults).toEqual([])
  expect(started).toEqual([])
  expect(await readdir(outside)).toEqual(['state'])
  const names = (await readdir(state.root)).filter((name) => !ofAgent.test(name) && !alsoOfAgent.test(name))
  expect(names).toEqual([])
  expect(JSON.parse(await readFile(state.trustedKeys, 'utf8'))).toMatchObject({ serial: 1, keys: [publicKey.text] })
}, 60_000)
