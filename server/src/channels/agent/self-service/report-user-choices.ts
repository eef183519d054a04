import { computerNotFound } from '../../../features/computers/computers.ts'
import { choiceOutcomes, recordUserChoices, type UserChoice } from '../../../features/self-service/record-choices.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, enumOf, Instant, type Static, Type, text, Uuid } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'

const choiceId = { ...Uuid, description: 'Random id of the choice. A choice that is reported twice counts once.' }

const Choice = closed(
  {
    choiceId,
    kind: enumOf(['Taken', 'Postponed', 'Requested'], { description: 'What the user chose' }),
    user: { ...text(255, 'mia', 'The user, as the operating system of the computer names it'), minLength: 1 },
    atUtc: { ...Instant, description: 'When the user chose it' },
    packageId: Type.Optional({ ...Uuid, description: 'For Taken: the optional package' }),
    untilUtc: Type.Optional({ ...Instant, description: 'For Postponed: until when' }),
    wish: Type.Optional({ ...text(200, 'An editor for PDF files', 'For Requested: what is asked for'), minLength: 1 }),
    reason: Type.Optional(text(1000, 'I have to fill in forms.', 'For Requested: why')),
  },
  { title: 'UserChoice' },
)

export const reportUserChoices = operation({
  id: 'reportUserChoices',
  route: 'POST /agent/v1/user-choices',
  summary: 'Report what users of the computer have chosen',
  description:
    'An agent reports choices soon after they were made. They are shown in the history of the computer; requests for packages ' +
    'wait for an administrator. A computer may report a limited number in a day.',
  role: 'machine',
  bodyLimit: 65_536,
  body: closed(
    { choices: Type.Array(Choice, { minItems: 1, maxItems: 20, description: 'Oldest first' }) },
    { title: 'UserChoices' },
  ),
  returns: ok(
    closed(
      {
        choices: Type.Array(
          closed(
            { choiceId, outcome: enumOf(choiceOutcomes, { description: 'TooMany: it is not stored' }) },
            { title: 'UserChoiceReceipt' },
          ),
        ),
      },
      { title: 'UserChoicesAnswer' },
    ),
  ),
  problems: [computerNotFound],
  async handle({ body, db, machine: { clientId } }) {
    return { choices: await recordUserChoices(db, clientId, body.choices.map(toUserChoice)) }
  },
})

function toUserChoice(
  { choiceId, kind, user, atUtc, packageId, untilUtc, wish, reason = '' }: Static<typeof Choice>,
  index: number,
): UserChoice {
  const made = { choiceId, user, atUtc }
  if (kind === 'Taken' && packageId !== undefined) return { ...made, kind, packageId }
  if (kind === 'Postponed' && untilUtc !== undefined) return { ...made, kind, untilUtc }
  if (kind === 'Requested' && wish !== undefined) return { ...made, kind, wish, reason }
  throw invalidPart('body', `choices.${index}`, 'lacks what its kind requires')
}
