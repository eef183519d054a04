import { type Identity, listMacAddresses, toIdentity } from '../normalisation/identity.ts'
import { type NormalisedSection, normaliseInventory } from '../normalisation/normalise.ts'
import { entryOf, toStorableDate, toText } from '../normalisation/values.ts'
import { type Message, readMessage } from './read-message.ts'
import { UnreadableError } from './unreadable-error.ts'

/** What the service needs of a message. The rest of the message does not leave the thread that reads it. */
export type AgentReport = Omit<Message, 'fields' | 'content'> & {
  /** The name that the agent gives itself, such as `GLPI-Agent_v1.12`. */
  program: string | null
  /** The tasks that the agent supports; null when it does not report them. */
  tasks: string[] | null
  inventory: Inventory | null
}

export type Inventory = {
  identity: Identity
  /** The addresses of all physical adapters. */
  macAddresses: string[]
  platform: string | null
  bootAt: Date | null
  sections: NormalisedSection[]
}

/**
 * Reads and normalises a message. It returns errors instead of throwing them, because it runs in a worker thread, and an
 * error loses its class when it leaves the thread.
 */
export function readReport(body: Uint8Array): AgentReport | { unreadable: string } {
  try {
    return toAgentReport(readMessage(body))
  } catch (error) {
    if (error instanceof UnreadableError) return { unreadable: error.message }
    throw error
  }
}

export function toAgentReport({ fields, content, ...message }: Message): AgentReport {
  return {
    ...message,
    program: toText(content.versionclient, 100) ?? formatProgram(fields),
    tasks: toTasks(fields['enabled-tasks']),
    inventory: message.action === 'inventory' ? toInventory(message, content) : null,
  }
}

function formatProgram({ name, version }: Record<string, unknown>): string | null {
  return toText(name, 50) === null ? null : toText(`${name}_v${toText(version, 40) ?? ''}`, 100)
}

function toTasks(tasks: unknown): string[] | null {
  return Array.isArray(tasks) ? tasks.flatMap((task) => toText(task, 50)?.toLowerCase() ?? []).slice(0, 50) : null
}

function toInventory({ isPartial }: { isPartial: boolean }, content: Record<string, unknown>): Inventory {
  if (Object.keys(entryOf(content.hardware)).length === 0) throw new UnreadableError('The inventory has no hardware')
  const sections = normaliseInventory(content, isPartial)
  const system = JSON.parse(sections.find(({ name }) => name === 'system')?.content ?? '{}')
  return {
    identity: toIdentity(content),
    macAddresses: listMacAddresses(content),
    platform: system.platform ?? null,
    bootAt: toBootTime(entryOf(content.operatingsystem)),
    sections,
  }
}

/** The boot time is in local time; the offset from UTC is a property of its own. */
function toBootTime({ boot_time, timezone }: Record<string, unknown>): Date | null {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(toText(boot_time, 50) ?? '') ?? []
  const [, sign = '+', hours = '00', minutes = '00'] =
    /^([+-])(\d\d):?(\d\d)$/.exec(toText(entryOf(timezone).offset, 10) ?? '') ?? []
  return toStorableDate(new Date(`${day}T${time}${sign}${hours}:${minutes}`))
}
