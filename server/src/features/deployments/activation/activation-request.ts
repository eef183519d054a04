import { closed, enumOf, Instant, Int32, nullable, type Static, Type } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { powerActions, powerDefaults } from '../power-settings.ts'
import type { Activation, ActivationBits } from './activate.ts'

const flag = (description: string, example: boolean) =>
  Type.Optional(nullable(Type.Boolean({ examples: [example], description })))

const action = enumOf(powerActions, { title: 'SrlAction' })

const timeoutMinutes = {
  ...Int32,
  minimum: -1,
  examples: [30],
  description: `Minutes that a user who is logged on has; -1: none. ${powerDefaults.timeoutMinutes} unless given`,
}

const reminderMinutes = {
  ...Int32,
  minimum: 0,
  examples: [10],
  description: `Minutes between reminders. ${powerDefaults.reminderMinutes} unless given`,
}

const SrlRequest = closed(
  {
    action: { ...action, examples: ['Shutdown'] },
    timeoutMinutes: Type.Optional(nullable(timeoutMinutes)),
    reminderMinutes: Type.Optional(nullable(reminderMinutes)),
  },
  { title: 'SrlSettings', description: 'Silent reboot logic: what the computer does when its work is done' },
)

const fields = {
  software: flag('Packages that are assigned', true),
  pxe: flag('An operating system over the network, and packages that run before it', false),
  pull: flag('The agent reads its settings anew and sends its whole inventory', false),
  wol: Type.Optional({ ...nullable(Instant), examples: [null], description: 'When Wake-on-LAN is sent' }),
  wolNow: flag('Sends Wake-on-LAN now; excludes wol', false),
  srl: Type.Optional(nullable(SrlRequest)),
}

/** The body of a request that activates; `global` says through which groups it does. */
export const activationRequest = (title: string, global: string) =>
  closed({ ...fields, global: flag(global, true) }, { title })

export type Requested = Omit<Activation, 'scope' | 'task'> & { global: boolean }

export function parseActivationRequest(body: Static<ReturnType<typeof activationRequest>>): Requested {
  const [software, pxe, pull] = [body.software === true, body.pxe === true, body.pull === true]
  if (!software && !pxe && !pull) throw invalidPart('body', 'software', 'or pxe or pull must be true')
  if (body.wol != null && body.wolNow) throw invalidPart('body', 'wolNow', 'excludes wol')
  const srl = body.srl
    ? {
        action: body.srl.action,
        timeoutMinutes: body.srl.timeoutMinutes ?? powerDefaults.timeoutMinutes,
        reminderMinutes: body.srl.reminderMinutes ?? powerDefaults.reminderMinutes,
      }
    : null
  const wakeAt = body.wol ?? (body.wolNow || srl ? 'now' : null)
  return { software, pxe, pull, wakeAt, srl, global: body.global ?? true }
}

/** The bits in an answer. */
export const bitFields = {
  software: Type.Boolean({ examples: [true] }),
  pxe: Type.Boolean({ examples: [false] }),
  pull: Type.Boolean({ examples: [false] }),
  global: Type.Boolean({ examples: [true] }),
}

/** What an answer tells of an activation besides its bits. */
export const activatedFields = {
  wolUtc: { ...nullable(Instant), description: 'When Wake-on-LAN is sent' },
  srl: nullable(
    closed(
      { action: { ...action, examples: ['Shutdown'] }, timeoutMinutes, reminderMinutes },
      { title: 'AppliedSrlSettings' },
    ),
  ),
  trackingId: {
    ...nullable(Type.String({ format: 'uuid', examples: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] })),
    description: 'The task with the work that became due; null where nothing did',
  },
}

/** The query of a request that deactivates. */
export const deactivationFields = {
  software: Type.Optional(Type.Boolean({ examples: [true] })),
  pxe: Type.Optional(Type.Boolean({ examples: [true] })),
  pull: Type.Optional(Type.Boolean({ examples: [true] })),
}

/** The bits to clear: all of them where none is named. */
export function bitsToClear({ software = false, pxe = false, pull = false }: Partial<ActivationBits>): ActivationBits {
  return software || pxe || pull ? { software, pxe, pull } : { software: true, pxe: true, pull: true }
}

export const cancelledWork = Type.Integer({
  format: 'int32',
  minimum: 0,
  examples: [3],
  description: 'Pieces of work that waited and are cancelled',
})
