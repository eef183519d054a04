import { type Identity, identityOf, macAddressesOf } from '../normalisation/identity.ts'
import { type NormalSection, normalise } from '../normalisation/normalise.ts'
import { entryOf, told } from '../normalisation/values.ts'
import { type Message, readMessage } from './read-message.ts'
import { Unreadable } from './unreadable-error.ts'

/** What the service has to know of a message; the rest of it stays in the thread that read it. */
export type Report = Omit<Message, 'said' | 'content'> & {
  /** As it names itself, such as `GLPI-Agent_v1.12`. */
  program: string | null
  /** The tasks that an agent can do; null where it does not say so. */
  tasks: string[] | null
  inventory: Inventory | null
}

export type Inventory = {
  identity: Identity
  /** Of all real adapters. */
  macAddresses: string[]
  platform: string | null
  bootAt: Date | null
  sections: NormalSection[]
}

/** Reads and normalises a message. It runs in a thread, out of which an error of ours would come without its class. */
export function readReport(body: Uint8Array): Report | { unreadable: string } {
  try {
    return reportOf(readMessage(body))
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    throw error
  }
}

export function reportOf({ said, content, ...message }: Message): Report {
  return {
    ...message,
    program: told(content.versionclient, 100) ?? programOf(said),
    tasks: tasksOf(said['enabled-tasks']),
    inventory: message.action === 'inventory' ? inventoryOf(message, content) : null,
  }
}

function programOf({ name, version }: Record<string, unknown>): string | null {
  return told(name, 50) === null ? null : told(`${name}_v${told(version, 40) ?? ''}`, 100)
}

function tasksOf(tasks: unknown): string[] | null {
  return Array.isArray(tasks) ? tasks.flatMap((task) => told(task, 50)?.toLowerCase() ?? []).slice(0, 50) : null
}

function inventoryOf({ isPartial }: { isPartial: boolean }, content: Record<string, unknown>): Inventory {
  if (Object.keys(entryOf(content.hardware)).length === 0) throw new Unreadable('The inventory has no hardware')
  const sections = normalise(content, isPartial)
  const system = JSON.parse(sections.find(({ name }) => name === 'system')?.content ?? '{}')
  return {
    identity: identityOf(content),
    macAddresses: macAddressesOf(content),
    platform: system.platform ?? null,
    bootAt: bootTimeOf(entryOf(content.operatingsystem)),
    sections,
  }
}

/** In the time of the computer, whose distance from that of the world stands beside it. */
function bootTimeOf({ boot_time, timezone }: Record<string, unknown>): Date | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(told(boot_time, 50) ?? '') ?? []
  const [, sign = '+', hours = '00', minutes = '00'] =
    /^([+-])(\d\d):?(\d\d)$/.exec(told(entryOf(timezone).offset, 10) ?? '') ?? []
  const date = new Date(`${day}T${time}${sign}${hours}:${minutes}`)
  return Number.isNaN(date.getTime()) ? null : date
}
