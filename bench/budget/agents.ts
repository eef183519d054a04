import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { simulatedEnrolmentOf, simulatedInventoryOf } from '../inventories.ts'
import { plainContact } from '../plain-contact.ts'
import { resultOf } from '../work-of-agent.ts'

type WorkItem = { workId: number; attempt: number; package: Package }
type Package = { name: string; version: string }
type ContactAnswer = { settings: { hash: string } | null; sections: string[]; work: WorkItem[]; results?: object[] }

export type BudgetAgent = {
  number: number
  address: string
  credential: string
  contact: typeof plainContact
  packages: Package[]
}

/** A new computer: it enrols, makes its first contact and sends the whole inventory. */
export async function enrolAgent(address: string, token: string, number: number): Promise<BudgetAgent> {
  const enrolment = { token, ...simulatedEnrolmentOf(number) }
  const { credential } = await send<{ credential: string }>({ address, credential: '' }, 'POST', 'enrolment', enrolment)
  const contact = { ...plainContact, runId: randomUUID() }
  const agent = { number, address, credential, contact, packages: [] }
  await makeContact(agent)
  return agent
}

type Caller = Pick<BudgetAgent, 'address' | 'credential'>

/** As agents do, it comes back when the service is busy. */
async function send<T>({ address, credential }: Caller, method: string, path: string, body: object): Promise<T> {
  for (;;) {
    const answer = await fetch(`${address}/agent/v1/${path}`, {
      method,
      headers: { ...(credential && { authorization: `Bearer ${credential}` }), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) return (text === '' ? undefined : JSON.parse(text)) as T
    if (answer.status !== 503) throw new Error(`${path}: ${answer.status} ${text}`)
    await sleep(500)
  }
}

/** Sends the sections that the answer asks for. */
async function makeContact(agent: BudgetAgent, more: object = {}): Promise<ContactAnswer> {
  const { number, contact, packages } = agent
  const inventory = simulatedInventoryOf(number, packages)
  const answer = await send<ContactAnswer>(agent, 'POST', 'contact', {
    ...contact,
    sections: hashesOf(inventory),
    ...more,
  })
  contact.settingsHash = answer.settings?.hash ?? contact.settingsHash
  const asked = answer.sections.map((name) => [name, inventory[name]])
  if (asked.length > 0) await send(agent, 'PUT', 'inventory', { sections: Object.fromEntries(asked) })
  return answer
}

function hashesOf(inventory: ReturnType<typeof simulatedInventoryOf>): Record<string, string> {
  return Object.fromEntries(Object.entries(inventory).map(([name, { hash }]) => [name, hash]))
}

/** Contacts of agents that have nothing to report, at a fixed rate whatever the answers. Returns their number. */
export async function makeIdleContacts(agents: BudgetAgent[], perSecond: number, seconds: number): Promise<number> {
  const prepared = agents.map((agent) => ({
    agent,
    body: { ...agent.contact, sections: hashesOf(simulatedInventoryOf(agent.number)) },
  }))
  const start = performance.now()
  const contacts: Promise<unknown>[] = []
  while (contacts.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - start) / 1_000) * perSecond)
    while (contacts.length < due) {
      const { agent, body } = prepared[contacts.length % prepared.length] as (typeof prepared)[number]
      contacts.push(send(agent, 'POST', 'contact', body))
    }
    await sleep(5)
  }
  await Promise.all(contacts)
  return contacts.length
}

/** Does all work of the agent at once, and reports the software that it has installed. Returns the number of work items. */
export async function doWork(agent: BudgetAgent): Promise<number> {
  let done = 0
  for (let results: object[] = []; ; ) {
    const answer = await makeContact(agent, { canStartAtContact: true, ...(results.length > 0 && { results }) })
    if (results.length > (answer.results?.length ?? 0)) throw new Error('A result was not recorded.')
    done += results.length
    if (answer.work.length === 0) return done
    agent.packages = [...agent.packages, ...answer.work.map((item) => item.package)]
    results = answer.work.map(({ workId, attempt }) => ({ workId, ...resultOf(attempt) }))
  }
}
