import type { Node } from '../nodes.ts'
import { contactPath, plainContact } from '../plain-contact.ts'
import { round } from '../round.ts'
import { startSteadyReads } from '../steady-reads.ts'
import { reportTarget } from '../target.ts'
import { openCalls } from './calls.ts'
import type { ContactFigures, ContactPlan } from './contact-load.ts'
import { startLoad } from './load-process.ts'
import { contactsPerSecond, targets } from './settings.ts'

const readsPerSecond = 5
const reads = [
  '/api/computer?top=50',
  '/api/tasks?top=20',
  '/api/computer/17',
  '/api/computer/17/software-deployment',
].map((path) => ({ path }))

export type Phase = ContactFigures & { phase: string; perSecond: number }

type Beside = { node: Node; headers: { authorization: string }; credentials: string[]; folder: string }

/** Contacts of agents without work, and people who read, beside what is measured. */
export async function startBeside({ node, headers, credentials, folder }: Beside) {
  const settingsHash = await findSettingsHash(node.address, credentials[0] ?? '')
  const plan = { address: node.address, perSecond: contactsPerSecond, settingsHash, credentials }
  const contacts = await startLoad<ContactPlan, ContactFigures>('contact-load.ts', folder, plan)
  const readers = startSteadyReads(node.address, headers, { perSecond: readsPerSecond, reads })
  const phases: Phase[] = []
  return {
    phases,
    /** Leaves out what the benchmark itself does. */
    async skip(): Promise<void> {
      await contacts.takeFigures()
    },
    /** Ends a phase: its figures are those since the end of the phase before. */
    async endPhase(phase: string): Promise<Phase> {
      const figures = await contacts.takeFigures()
      const ended = { phase, ...figures, perSecond: figures.answered / figures.seconds }
      phases.push(ended)
      return ended
    },
    async stop() {
      await contacts.stop()
      return readers.stop()
    },
  }
}

/** An agent with current settings gets no settings in its answers. */
async function findSettingsHash(address: string, credential: string): Promise<string | null> {
  const calls = openCalls(address, 1)
  const { body } = await calls.post<{ settings: { hash: string } | null }>(contactPath, credential, plainContact)
  calls.close()
  return body.settings?.hash ?? null
}

/** Whether contacts were served in the phase as they were before. */
function areContactsServed(phase: Phase, before: Phase): boolean {
  return (
    phase.failed === 0 && phase.p99 < targets.contactP99 && phase.perSecond >= targets.contactRate * before.perSecond
  )
}

export function formatPhase({ phase, seconds, perSecond, p50, p99, failed }: Phase) {
  return { phase, seconds: round(seconds), 'contacts/s': round(perSecond), 'p50 ms': p50, 'p99 ms': p99, failed }
}

export function reportContacts(phases: readonly Phase[]): void {
  const before = phases.find(({ phase }) => phase === 'before')
  if (!before) throw new Error('The contacts before were not measured.')
  const measured = phases.slice(phases.indexOf(before) + 1)
  for (const phase of measured)
    reportTarget(
      `contacts, ${phase.phase}: ${round(phase.perSecond / before.perSecond)} of their rate before, target ${targets.contactRate}; p99 ${phase.p99} ms, target below ${targets.contactP99}; ${phase.failed} failed, target 0`,
      areContactsServed(phase, before),
    )
}
