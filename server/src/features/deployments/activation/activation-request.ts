import { closed, enumOf, Instant, Int32, nullable, type Static, Type } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { UserDeadline } from '../../distribution/api/user-deadline-schemas.ts'
import { parseUserDeadline, toUserDeadline } from '../../distribution/user-deadline.ts'
import { type PowerSettings, powerActions, powerDefaults } from '../power-settings.ts'
import type { Activation } from './activate.ts'
import type { ActivationBits } from './activation-scope.ts'

const flag = (description: string, example: boolean) =>
  Type.Optional(nullable(Type.Boolean({ examples: [example], description })))

const action = enumOf(powerActions, { title: 'SrlAction' })

const timeoutMinutes = {
  ...Int32,
  minimum: -1,
  examples: [30],
  description: `Minutes that a logged-on user has before the action; -1: none. Default: ${powerDefaults.timeoutMinutes}`,
}

const reminderMinutes = {
  ...Int32,
  minimum: 0,
  examples: [10],
  description: `Minutes between reminders to the user. Default: ${powerDefaults.reminderMinutes}`,
}

const SrlRequest = closed(
  {
    action: { ...action, examples: ['Shutdown'] },
    timeoutMinutes: Type.Optional(nullable(timeoutMinutes)),
    reminderMinutes: Type.Optional(nullable(reminderMinutes)),
    userDeadline: Type.Optional(nullable(UserDeadline)),
  },
  { title: 'SrlSettings', description: 'Silent reboot logic: what the computer does after all other work' },
)

const fields = {
  software: flag('Publishes the assigned packages', true),
  pxe: flag('Publishes the installation of an operating system over the network and pre-OS packages', false),
  pull: flag('Makes the agent reload its settings and send its complete inventory', false),
  wol: Type.Optional({ ...nullable(Instant), examples: [null], description: 'When to send Wake-on-LAN' }),
  wolNow: flag('Sends Wake-on-LAN now. Cannot be combined with `wol`', false),
  srl: Type.Optional(nullable(SrlRequest)),
}

/** Builds the schema of an activation request; `global` describes which groups it publishes through. */
export const activationRequestSchema = (title: string, global: string) =>
  closed({ ...fields, global: flag(global, true) }, { title })

type RequestedActivation = Omit<Activation, 'scope' | 'task' | 'limit'> & { global: boolean }

type ActivationBody = Static<ReturnType<typeof activationRequestSchema>>

/** Whether the activation installs operating systems, or switches computers off or users out. */
export function isDestructiveActivation({ pxe, srl }: ActivationBody): boolean {
  return pxe === true || srl != null
}

/** Checks the rules that the schema cannot express, and fills in defaults. */
export function parseActivationRequest(body: ActivationBody): RequestedActivation {
  const [software, pxe, pull] = [body.software === true, body.pxe === true, body.pull === true]
  if (!software && !pxe && !pull) throw invalidPart('body', 'software', 'or pxe or pull must be true')
  if (body.wol != null && body.wolNow) throw invalidPart('body', 'wolNow', 'excludes wol')
  const srl = body.srl ? parsePower(body.srl) : null
  const wakeAt = body.wol ?? (body.wolNow || srl ? 'now' : null)
  return { software, pxe, pull, wakeAt, srl, global: body.global ?? true }
}

function parsePower(given: Static<typeof SrlRequest>): PowerSettings {
  const { action: chosen, timeoutMinutes: timeout, reminderMinutes: reminder } = given
  if (chosen === 'None' && given.userDeadline)
    throw invalidPart('body', 'srl.userDeadline', 'needs an action that a person can delay')
  return {
    action: chosen,
    timeoutMinutes: timeout ?? powerDefaults.timeoutMinutes,
    reminderMinutes: reminder ?? powerDefaults.reminderMinutes,
    userDeadline: parseUserDeadline(given.userDeadline, 'srl.userDeadline'),
  }
}

/** The power action as a response shows it. */
export function toSrl(srl: PowerSettings | null) {
  return srl && { ...srl, userDeadline: toUserDeadline(srl.userDeadline) }
}

/** The bits in a response. */
export const bitFields = {
  software: Type.Boolean({ examples: [true] }),
  pxe: Type.Boolean({ examples: [false] }),
  pull: Type.Boolean({ examples: [false] }),
  global: Type.Boolean({ examples: [true] }),
}

/** What a response says about an activation besides its bits. */
export const activationResultFields = {
  wolUtc: {
    ...nullable(Instant),
    description: 'When Wake-on-LAN is sent; null if it is not, also because no MAC address is known',
  },
  srl: nullable(
    closed(
      {
        action: { ...action, examples: ['Shutdown'] },
        timeoutMinutes,
        reminderMinutes,
        userDeadline: nullable(UserDeadline),
      },
      { title: 'AppliedSrlSettings' },
    ),
  ),
  trackingId: {
    ...nullable(Type.String({ format: 'uuid', examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] })),
    description: 'Id of the task with the new work; null if no work was due',
  },
}

/** The bits in the query of a deactivation. */
export const deactivationFields = {
  software: Type.Optional(Type.Boolean({ examples: [true] })),
  pxe: Type.Optional(Type.Boolean({ examples: [true] })),
  pull: Type.Optional(Type.Boolean({ examples: [true] })),
}

/** The bits that a deactivation clears: those that the query names, or all if it names none. */
export function bitsToClear({ software = false, pxe = false, pull = false }: Partial<ActivationBits>): ActivationBits {
  return software || pxe || pull ? { software, pxe, pull } : { software: true, pxe: true, pull: true }
}

export const cancelledWork = Type.Integer({
  format: 'int32',
  minimum: 0,
  examples: [3],
  description: 'Number of open work items that were cancelled',
})
